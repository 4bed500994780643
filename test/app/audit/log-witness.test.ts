import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createLogWitness } from '../../../src/app/audit/log-witness.ts'
import { noteKey, notesIn, openedCheckpoint, readVerifier, signedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { encode } from '../../../src/events/codec.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { logEntry } from '../../../src/events/log-entry.ts'
import { leafHash } from '../../../src/events/merkle-tree.ts'
import { toPosition } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { rootByDefinition } from '../../events/merkle-root.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'

const signal = new AbortController().signal
const LENGTH = 60

/** Events of a few streams with hashes that fit, however their contents were chosen. */
function chained(contents: readonly { readonly stream: string; readonly name: string; readonly atMs: number }[]): readonly StoredEvent[] {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>()
  return contents.map(({ stream, name, atMs }, n) => {
    const { revision, hash } = ends.get(stream) ?? { revision: -1, hash: '' }
    const event = { type: 'LibraryRenamed', data: { libraryId: named<'library'>('films'), name } } as const
    const encoded = encode(`event-${n}`, event, { at: iso(atMs), actor: 'system' }, { stream, revision: revision + 1, prev: hash })
    ends.set(stream, { revision: revision + 1, hash: encoded.metadata.hash })
    return { ...encoded, stream, revision: revision + 1, position: toPosition(n + 1) }
  })
}

const contentsOf = (random: Random, length = LENGTH) =>
  Array.from({ length }, (_, n) => ({ stream: `library-${random.below(4)}`, name: `name ${n}`, atMs: NOON + n * 1000 }))

const treeOf = (events: readonly StoredEvent[], size = events.length) => ({
  size,
  root: rootByDefinition(events.slice(0, size).map((event) => leafHash(logEntry(event)))),
})

const logOf = (events: readonly StoredEvent[]): EventLog => ({
  ...createMemoryEventLog(),
  head: async () => events.at(-1)?.position ?? toPosition(0),
  async *follow() {
    yield events
  },
})

const unknown = async () => []

async function faultsOf(events: readonly StoredEvent[], checkpoints: readonly { size: number; root: Uint8Array }[]) {
  const witness = createLogWitness({ checkpoints, leaves: unknown })
  return (await verifyLog(logOf(events), { step: () => {}, signal, witness })).faults
}

t.test('a log that only grew since its checkpoints has no fault', async (t) => {
  const events = chained(contentsOf(createRandom(1)))
  t.strictSame(await faultsOf(events, [treeOf(events, 1), treeOf(events, 17), treeOf(events)]), [])
  t.strictSame(await faultsOf(events, []), [])
})

t.test('whatever is changed is found by an earlier checkpoint, also if all hashes were made to fit', async (t) => {
  const random = createRandom(2)
  const missed: string[] = []
  for (let round = 0; round < 200; round++) {
    const contents = contentsOf(random)
    const before = chained(contents)
    const n = random.below(LENGTH - 2)
    const other = { ...(contents[n] ?? { stream: 'library-0', atMs: NOON }), name: 'another name' }
    const ways = {
      rewrite: contents.with(n, other),
      drop: contents.toSpliced(n, 1),
      swap: contents.toSpliced(n, 2, ...contents.slice(n, n + 2).toReversed()),
      insert: contents.toSpliced(n, 0, other),
      truncate: contents.slice(0, n + 1),
    }
    const way = random.pick(Object.keys(ways) as (keyof typeof ways)[])
    const faults = await faultsOf(chained(ways[way]), [treeOf(before)])
    if (faults.length === 0) missed.push(`${round}: ${way} at ${n}`)
  }
  t.strictSame(missed, [])
})

t.test('checkpoints say between which events the change is', async (t) => {
  const contents = contentsOf(createRandom(3))
  const before = chained(contents)
  const after = chained(contents.with(30, { stream: 'library-0', name: 'another name', atMs: NOON }))
  const [fault, ...more] = await faultsOf(after, [treeOf(before, 50), treeOf(before, 20), treeOf(before, 40)])
  t.equal(fault, 'Among the first 40 events at least one is not what it was at a checkpoint; the first 20 are as they were')
  t.strictSame(more, [])
})

t.test('an end that was cut off is found', async (t) => {
  const events = chained(contentsOf(createRandom(4)))
  t.strictSame(await faultsOf(events.slice(0, 50), [treeOf(events, 20), treeOf(events)]), [
    'The log has 50 events and had 60 at a checkpoint: its end was cut off',
  ])
})

t.test('what the audit view holds names the event', async (t) => {
  const contents = contentsOf(createRandom(5))
  const known = chained(contents).map((event) => Buffer.from(leafHash(logEntry(event))).toString('base64'))
  const after = chained(contents).map((event, n) => (n === 12 ? { ...event, data: { ...event.data, name: 'other' } } : event))
  const witness = createLogWitness({ checkpoints: [], leaves: async (seq, count) => known.slice(seq - 1, seq - 1 + Math.min(count, 7)) })
  const { faults, problems } = await verifyLog(logOf(after), { step: () => {}, signal, witness })
  t.equal(problems.length, 1, 'its chain is broken')
  t.match(faults, [/^Event 13 \(LibraryRenamed of library-\d, 2026-01-02T12:00:12\.000Z\) is not what the audit log holds of it$/])
})

t.test('notes are read out of a file that holds many, by the key alone', async (t) => {
  const key = noteKey(Buffer.alloc(32, 3))
  const trees = [1, 2, 300].map((size) => ({ size, root: leafHash(String(size)) }))
  const notes = notesIn(trees.map((tree) => `${signedCheckpoint(tree, key)}\n`).join(''))
  const verifier = readVerifier(`${key.verifier}\n`)
  t.match(
    notes.map((note) => verifier && openedCheckpoint(note, [verifier])),
    trees.map(({ size }) => ({ size })),
  )
  t.equal(readVerifier(key.verifier.replace('+', '+0')), undefined)
  t.equal(readVerifier(''), undefined)
})
