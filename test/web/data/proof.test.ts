import { createHash } from 'node:crypto'
import t from 'tap'
import { inclusionPath, leafHash, rootOf, subtreesOf, nodeHash, type Hash, type Range } from '../../../src/events/merkle-tree.ts'
import { entryAt, fingerprintOf, readCheckpoint, tileOf, verdictOf, type Proof } from '../../../web/data/proof.ts'
import { sha256 } from '../../../web/data/sha256.ts'

t.test('the hash is SHA-256, at every length around the edges of blocks', async (t) => {
  for (const length of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 5000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) % 256)
    t.equal(Buffer.from(sha256(bytes)).toString('hex'), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`)
  }
})

/** The root of a range of leaves, by the server's own functions. */
function rootOfRange(leaves: readonly Hash[], { start, end }: Range): Hash {
  const subtree = (from: number, size: number): Hash =>
    size === 1 ? (leaves[from] ?? Buffer.alloc(32)) : nodeHash(subtree(from, size / 2), subtree(from + size / 2, size / 2))
  return rootOf(subtreesOf({ start, end }).map(({ level, index }) => subtree(index * 2 ** level, 2 ** level)))
}

const SIZES = [1, 2, 3, 7, 8, 33, 100]
const entryOf = (seq: number): string => `{"type":"Number ${seq}"}`

function treeOf(size: number) {
  const leaves = Array.from({ length: size }, (_, index) => leafHash(entryOf(index + 1)))
  const root = rootOfRange(leaves, { start: 0, end: size })
  const note = `marquee/test\n${size}\n${Buffer.from(root).toString('base64')}\n\n— marquee/test AAAA\n`
  const checkpoint = readCheckpoint(note)
  if (!checkpoint) throw new Error('The note is none')
  const proofOf = (seq: number): Proof & { readonly leafHash: string } => ({
    seq,
    size,
    leafHash: Buffer.from(leaves[seq - 1] ?? []).toString('base64'),
    hashes: inclusionPath(seq - 1, { start: 0, end: size }).map((range) => Buffer.from(rootOfRange(leaves, range)).toString('base64')),
  })
  return { checkpoint, proofOf }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

t.test('each entry of each tree is proved', async (t) => {
  for (const size of SIZES) {
    const { checkpoint, proofOf } = treeOf(size)
    for (let seq = 1; seq <= size; seq++) {
      const proof = proofOf(seq)
      t.match(verdictOf(bytes(entryOf(seq)), proof.leafHash, proof, checkpoint), { leafFits: true, rootFits: true }, `${seq} of ${size}`)
    }
  }
})

t.test('nothing that was tampered with is proved: entry, hash, path, place, size or root', async (t) => {
  const { checkpoint, proofOf } = treeOf(33)
  const proof = proofOf(20)
  const entry = bytes(entryOf(20))
  const holds = (more: { entry?: Uint8Array; proof?: Proof; root?: Uint8Array; leafHash?: string }): boolean => {
    const verdict = verdictOf(more.entry ?? entry, more.leafHash ?? proof.leafHash, more.proof ?? proof, {
      ...checkpoint,
      root: more.root ?? checkpoint.root,
    })
    return verdict.leafFits && verdict.rootFits
  }
  t.ok(holds({}))
  t.notOk(holds({ entry: bytes(entryOf(21)) }), 'another entry')
  t.notOk(holds({ leafHash: proofOf(21).leafHash }), 'another hash in the list')
  t.notOk(holds({ proof: { ...proof, hashes: proof.hashes.toReversed() } }), 'the path in another order')
  t.notOk(holds({ proof: { ...proof, hashes: proof.hashes.slice(1) } }), 'a shorter path')
  t.notOk(holds({ proof: { ...proof, hashes: [...proof.hashes, proof.leafHash] } }), 'a longer path')
  t.notOk(holds({ proof: { ...proof, seq: 19 } }), 'another place')
  t.notOk(holds({ proof: { ...proof, size: 34 } }), 'another size')
  t.notOk(holds({ proof: { ...proof, seq: 34 } }), 'beyond the tree')
  t.notOk(holds({ root: checkpoint.root.map((byte) => byte ^ 1) }), 'another root')
})

t.test('a note that is none has no checkpoint, and the key has the fingerprint of its bytes', async (t) => {
  t.equal(readCheckpoint('marquee\nmany\nroot\n'), undefined)
  t.equal(readCheckpoint(''), undefined)
  const raw = Buffer.alloc(32, 7)
  const key = `marquee/test+01234567+${Buffer.concat([Buffer.of(1), raw]).toString('base64')}`
  t.equal(fingerprintOf(`${key}\n`)?.replaceAll(' ', ''), createHash('sha256').update(raw).digest('hex'))
})

t.test('an entry is found in its tile, full or not', async (t) => {
  t.strictSame(tileOf(1, 5), { path: 'entries/000.p/5', place: 0 })
  t.strictSame(tileOf(256, 256), { path: 'entries/000', place: 255 })
  t.strictSame(tileOf(257, 700), { path: 'entries/001', place: 0 })
  t.strictSame(tileOf(256 * 1234 + 3, 256 * 1234 + 10), { path: 'entries/x001/234.p/10', place: 2 })
  const tile = Buffer.concat(['one', 'second', ''].map((text) => Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)])))
  t.equal(new TextDecoder().decode(entryAt(tile, 1)), 'second')
  t.equal(entryAt(tile, 2)?.length, 0)
  t.equal(entryAt(tile, 3), undefined)
})
