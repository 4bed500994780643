import t from 'tap'
import type { EventOf } from '../../src/events/catalogue.ts'
import { decode, encode, verifies } from '../../src/events/codec.ts'
import type { EncodedEvent, StoredEvent } from '../../src/events/envelope.ts'
import { toPosition } from '../../src/events/position.ts'
import { named } from '../fixtures/names.ts'

const movieId = named<'movie'>('metropolis')
const stream = `movie-${movieId}`
const origin = { at: '2026-01-02T12:00:00.000Z', actor: 'system', command: 'scan', node: 'one' }
const discovered: EventOf<'MovieDiscovered'> = { type: 'MovieDiscovered', data: { movieId, libraryId: named('films') } }
const missing: EventOf<'MovieFileMissing'> = { type: 'MovieFileMissing', data: { movieId, fileId: named('file') } }

const first = encode('00000000-0000-4000-8000-000000000001', discovered, origin, { stream, revision: 0, prev: '' })
const second = encode('00000000-0000-4000-8000-000000000002', missing, origin, { stream, revision: 1, prev: first.metadata.hash })

/** As a log returns it: through JSON. */
const stored = (event: EncodedEvent, revision: number): StoredEvent =>
  JSON.parse(JSON.stringify({ ...event, stream, revision, position: toPosition(revision + 1) })) as StoredEvent

t.test('an event comes back from the log as it was decided, with its place and time', async (t) => {
  const event = decode(stored(second, 1))
  t.match(event, { ...missing, stream, revision: 1, position: toPosition(2), at: origin.at, id: second.id })
  t.match(event?.metadata, { ...origin, v: '1', prev: first.metadata.hash })
})

t.test('members that are undefined are not stored', async (t) => {
  const data = { ...missing.data, note: undefined }
  t.strictSame(encode('x', { type: 'MovieFileMissing', data }, origin, { stream, revision: 0, prev: '' }).data, missing.data)
})

t.test('a type that this version does not know decodes to nothing, also one named like a member of every object', async (t) => {
  for (const type of ['MovieSangASong', 'constructor', 'toString']) t.equal(decode({ ...stored(first, 0), type }), undefined, type)
})

t.test('an event of a newer version than this program knows is not taken for one of today', async (t) => {
  const newer = { ...stored(first, 0), metadata: { ...first.metadata, v: '2' } }
  t.throws(() => decode(newer), /MovieDiscovered@2/)
})

t.test('the chain of a stream verifies; the first event has no predecessor', async (t) => {
  t.equal(first.metadata.prev, '')
  t.match(first.metadata.hash, /^[0-9a-f]{64}$/)
  t.ok(verifies(stored(first, 0), ''))
  t.ok(verifies(stored(second, 1), first.metadata.hash))
  t.notOk(verifies(stored(second, 1), ''), 'not without what came before')
  t.notOk(verifies(stored(first, 0), second.metadata.hash))
})

t.test('a change of any byte of what is hashed breaks the chain', async (t) => {
  const text = JSON.stringify({ ...second, stream, revision: 1 })
  let changed = 0
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === '7' ? '8' : '7'
    const event = parsed(text.slice(0, at) + other + text.slice(at + 1))
    if (!event) continue
    changed++
    if (verifies({ ...event, position: toPosition(2) }, first.metadata.hash)) t.fail(`unnoticed at ${at}: ${text.slice(at - 9, at + 9)}`)
  }
  t.ok(changed > 300, `${changed} changes were noticed`)
})

t.test('metadata cannot be added, taken away or moved to another stream or revision', async (t) => {
  const event = stored(second, 1)
  const { node: _, ...less } = event.metadata
  const ok = (changed: Partial<StoredEvent>): boolean => verifies({ ...event, ...changed }, first.metadata.hash)
  t.ok(ok({ position: toPosition(99) }), 'a position is the log’s own')
  t.notOk(ok({ metadata: { ...event.metadata, address: 'somewhere' } }))
  t.notOk(ok({ metadata: less }))
  t.notOk(ok({ stream: `movie-${named('another')}` }))
  t.notOk(ok({ revision: 2 }))
})

/** An event as text with all hashed members. */
function parsed(text: string): StoredEvent | undefined {
  try {
    const event = JSON.parse(text) as Partial<StoredEvent>
    const { id, type, data, metadata, stream, revision } = event
    return id && type && data && metadata && stream && revision !== undefined ? (event as StoredEvent) : undefined
  } catch {
    return undefined
  }
}
