import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createLogWitness, NOTHING_KNOWN, type KnownEvents } from '../../../src/app/audit/log-witness.ts'
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

/** Events of a few streams with matching hashes, whatever their contents are. */
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

async function faultsOf(events: readonly StoredEvent[], checkpoints: readonly { size: number; root: Uint8Array }[]) {
  const witness = createLogWitness({ checkpoints, known: NOTHING_KNOWN })
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
  const written = chained(contents)
  const after = chained(contents).map((event, n) => (n === 12 ? { ...event, data: { ...event.data, name: 'other' } } : event))
  const witness = createLogWitness({ checkpoints: [], known: knownOf(written) })
  const { faults, problems, first } = await verifyLog(logOf(after), { step: () => {}, signal, witness })
  t.match(first, { kind: 'altered', seq: 13 })
  t.equal(problems.length, 1, 'its chain is broken')
  t.match(faults, [/^Event 13 \(LibraryRenamed of library-\d, 2026-01-02T12:00:12\.000Z\) is not what the audit log holds of it$/])
})

/** Their leaves as the audit view has them, a few at a time. */
function knownOf(events: readonly StoredEvent[]): KnownEvents {
  const leaves = events.map((event) => Buffer.from(leafHash(logEntry(event))).toString('base64'))
  return {
    size: events.length,
    leaves: async (seq, count) => leaves.slice(seq - 1, seq - 1 + Math.min(count, 7)),
    place: async (seq) => {
      const event = events[seq - 1]
      return event && { stream: event.stream, revision: event.revision, at: event.metadata.at }
    },
  }
}

t.test('the audit view reveals what was rewritten, moved, removed or cut off without a checkpoint', async (t) => {
  const contents = contentsOf(createRandom(6))
  const written = chained(contents)
  const firstOf = async (events: readonly StoredEvent[]) => {
    const numbered = events.map((event, n) => ({ ...event, position: toPosition(n + 1) }))
    const witness = createLogWitness({ checkpoints: [], known: knownOf(written) })
    return (await verifyLog(logOf(numbered), { step: () => {}, signal, witness, gapless: true })).first
  }
  const placeOf = (n: number) => ({ stream: written[n]?.stream, revision: written[n]?.revision })
  t.equal(await firstOf(written), null)
  t.match(await firstOf(chained(contents.with(20, { stream: written[20]?.stream ?? '', name: 'other', atMs: NOON }))), {
    kind: 'altered',
    seq: 21,
    ...placeOf(20),
  })
  const other = written.findIndex(({ stream }, n) => n > 30 && stream !== written[n + 1]?.stream)
  const swapped = written.toSpliced(other, 2, ...written.slice(other, other + 2).toReversed())
  t.match(await firstOf(swapped), { kind: 'swapped', seq: other + 1, ...placeOf(other) })
  t.match(await firstOf(written.toSpliced(40, 1)), { kind: 'missing', seq: 41, ...placeOf(40) })
  t.match(await firstOf(written.slice(0, 55)), { kind: 'truncated', seq: 56, upTo: 60, ...placeOf(55), at: written[55]?.metadata.at })
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
