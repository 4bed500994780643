import t from 'tap'
import { readCheckpoints } from '../../../src/app/audit/checkpoints.ts'
import { noteKey, openedCheckpoint, readVerifier, signedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import { isConsistent, leafHash, rootByInclusion } from '../../../src/events/merkle-tree.ts'
import { rootByDefinition } from '../../events/merkle-root.ts'
import { createCluster, openNodeFixture } from '../../fixtures/node-fixture.ts'

const key = noteKey(Buffer.alloc(32, 1))
const tree = { size: 3, root: leafHash('root') }

t.test('a signed note is read by its key, and by no other', async (t) => {
  const note = signedCheckpoint(tree, key)
  t.match(note, /^marquee\/[0-9a-f]{16}\n3\n[A-Za-z0-9+/]{43}=\n\n— marquee\/[0-9a-f]{16} [A-Za-z0-9+/]+=*\n$/)
  t.match(openedCheckpoint(note, [key]), { size: 3 })
  t.equal(openedCheckpoint(note, [noteKey(Buffer.alloc(32, 2))]), 'unknown_key')
  t.equal(openedCheckpoint(note.replace('\n3\n', '\n4\n'), [key]), 'bad_signature')
  for (const malformed of ['', 'x', note.trimEnd(), note.replace('\n3\n', '\n03\n'), note.split('\n\n')[0] ?? '']) {
    t.equal(openedCheckpoint(malformed, [key]), 'malformed')
  }
  t.equal(key.verifier.split('+')[0], note.split('\n')[0], 'the origin is the name of the key')
})

t.test('signatures of other keys beside it do not count', async (t) => {
  const other = signedCheckpoint(tree, noteKey(Buffer.alloc(32, 2)))
    .split('\n')
    .at(-2)
  t.match(openedCheckpoint(`${signedCheckpoint(tree, key)}${other}\n`, [key]), { size: 3 })
})

t.test('a checkpoint holds as long as the log only grows', async (t) => {
  const node = await openNodeFixture(t)
  await node.person()
  await node.seen()
  const note = await node.checkpoints.current()
  for (let n = 0; n < 5; n++) await node.person()
  await node.seen()
  t.match(await node.checkpoints.verify(note), { valid: true })
  const size = await node.auditTree.size()
  const own = noteKey(await node.cluster.vault.secret('checkpoint-key'))
  t.strictSame(await node.checkpoints.verify(signedCheckpoint({ ...tree, size }, own)), { valid: false, reason: 'changed' })
  t.strictSame(await node.checkpoints.verify(signedCheckpoint({ ...tree, size: size + 1 }, own)), { valid: false, reason: 'truncated' })
  t.strictSame(await node.checkpoints.verify(signedCheckpoint(tree, key)), { valid: false, reason: 'unknown_key' })
})

t.test('after the key was rotated old and new notes hold, and who has only the key before opens the next ones, too', async (t) => {
  const node = await openNodeFixture(t)
  await node.person()
  await node.seen()
  const verifiers = [await node.checkpoints.verifier()]
  const notes = [await node.checkpoints.current()]
  for (let n = 0; n < 2; n++) {
    const { verifier } = await node.operators.rotateCheckpointKey()
    t.equal(verifier, await node.checkpoints.verifier())
    verifiers.push(verifier)
    await node.seen()
    notes.push(await node.checkpoints.current())
  }
  t.equal(new Set(verifiers).size, 3)
  t.equal(new Set(verifiers.map((verifier) => verifier.split('+')[0])).size, 1, 'one origin for good')
  for (const note of notes) t.match(await node.checkpoints.verify(note), { valid: true })
  const keys = verifiers.flatMap((verifier) => readVerifier(verifier) ?? [])
  const opens = notes.map((note) => keys.map((own) => typeof openedCheckpoint(note, [own]) === 'object'))
  t.strictSame(opens, [
    [true, false, false],
    [true, true, false],
    [false, true, true],
  ])
  const rotations = (await node.events()).filter(({ type }) => type === 'CheckpointKeyRotated')
  t.strictSame(
    rotations.map(({ data }) => data),
    verifiers.slice(1).map((verifier) => ({ verifier })),
  )
})

t.test('a file written over two rotations is read with any of its keys, and notes of other keys are counted', async (t) => {
  const node = await openNodeFixture(t)
  await node.person()
  await node.seen()
  const verifiers = [await node.checkpoints.verifier()]
  let file = `${await node.checkpoints.current()}\n`
  for (let n = 0; n < 2; n++) {
    verifiers.push((await node.operators.rotateCheckpointKey()).verifier)
    await node.seen()
    file += `${await node.checkpoints.current()}\n`
  }
  const [first = '', second = '', third = ''] = verifiers
  const counts = (keys?: readonly string[]) => node.operators.verify({ checkpoints: file, keys }, () => {}, new AbortController().signal)
  t.match(await counts(), { notes: { compared: 3, skipped: 0, torn: 0 }, first: null })
  t.match(await counts([first, third]), { notes: { compared: 3, skipped: 0, torn: 0 }, first: null })
  t.match(await counts([first]), { notes: { compared: 2, skipped: 1, torn: 0 } })
  t.match(await counts([second]), { notes: { compared: 2, skipped: 1, torn: 0 } })
  t.match(await counts([third]), { notes: { compared: 1, skipped: 2, torn: 0 } })
  t.match(readCheckpoints(file, [key.verifier]), { refusal: 'invalid', message: /None of these keys has signed any of the 3/ })
  t.match(readCheckpoints(file, [first, 'no key']), { refusal: 'invalid', message: /no verifier key/ })
  t.match(readCheckpoints(file.replace(/\n(\d+)\n/, '\n1$1\n'), [first]), { refusal: 'invalid', message: /Checkpoint 1 .* signature/ })
})

t.test('a node notices that another has rotated the key', async (t) => {
  const cluster = createCluster()
  const [one, two] = [await openNodeFixture(t, { cluster }), await openNodeFixture(t, { cluster, node: 'two' })]
  await one.person()
  await two.seen()
  t.equal(await two.checkpoints.verifier(), await one.checkpoints.verifier())
  const { verifier } = await one.operators.rotateCheckpointKey()
  t.equal(await two.checkpoints.verifier(), verifier)
  await two.seen()
  t.match(await one.checkpoints.verify(await two.checkpoints.current()), { valid: true })
})

t.test('every entry is proved in every tree, and every tree out of every smaller one', async (t) => {
  const node = await openNodeFixture(t)
  // More than a tile: proofs need hashes from tiles and from rows.
  for (let n = 0; n < 150; n++) await node.person()
  await node.seen()
  const last = await node.auditTree.size()
  t.ok(last > 256, String(last))
  const wrong: string[] = []
  for (let size = 1; size <= last; size += 37) {
    const { root } = await node.auditTree.at(size)
    for (let seq = 1; seq <= size; seq += 11) {
      const { leafHash: hash, path } = await node.auditTree.inclusion(seq, size)
      const reached = rootByInclusion(seq - 1, size, { hash, path })
      if (!reached || Buffer.compare(reached, root) !== 0) wrong.push(`${seq} in ${size}`)
    }
    for (let from = 1; from <= size; from += 23) {
      const path = await node.auditTree.consistency(from, size)
      if (!isConsistent(await node.auditTree.at(from), { size, root }, path)) wrong.push(`${from} to ${size}`)
    }
  }
  t.strictSame(wrong, [])
})

t.test('tiles and bundles of entries hold the whole tree', async (t) => {
  const node = await openNodeFixture(t)
  for (let n = 0; n < 150; n++) await node.person()
  await node.seen()
  const size = await node.auditTree.size()
  const width = size - 256
  const get = async (level: number | 'entries', index: number, count: number) =>
    (await node.auditTiles.get({ level, index, width: count })) ?? Buffer.alloc(0)
  const hashes = Buffer.concat([await get(0, 0, 256), await get(0, 1, width)])
  const leaves = entriesIn(Buffer.concat([await get('entries', 0, 256), await get('entries', 1, width)])).map((entry) =>
    leafHash(entry.toString()),
  )
  t.equal(leaves.length, size)
  t.ok(Buffer.concat(leaves).equals(hashes), 'the entries are those of the leaves')
  t.ok(rootByDefinition(leaves).equals((await node.auditTree.at(size)).root))
  t.ok(rootByDefinition(leaves.slice(0, 256)).equals(await get(1, 0, 1)), 'a tile of the next level holds the roots of full ones')
  t.equal(await node.auditTiles.get({ level: 0, index: 1, width: width + 1 }), undefined)
  t.equal(await node.auditTiles.get({ level: 1, index: 0, width: 2 }), undefined)
})

/** Each after its length in two bytes. */
function entriesIn(bundle: Buffer): readonly Buffer[] {
  const entries: Buffer[] = []
  for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
    entries.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)))
  return entries
}
