/** Measures the storage of the embedded server on this machine: `node test/bench/storage.ts [folder]`. Takes about half a minute. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../src/adapters/node/ids.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import { START, toPosition } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { CollectionSpec, Query, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { quantiles } from './table.ts'

const EVENTS = 100_000
const FILMS = 100_000
const clock = createSystemClock()
const ids = createSystemIds()

/** About the size of a heartbeat. */
function heartbeat(positionMs: number): EncodedEvent {
  const what = { sessionId: ids.next(), userId: ids.next(), movieId: ids.next(), fileId: ids.next(), positionMs, playState: 'playing' }
  const chain = { prev: 'a'.repeat(64), hash: 'b'.repeat(64) }
  const origin = { v: '1', at: new Date(clock.now()).toISOString(), actor: `user:${ids.next()}`, command: 'heartbeat', node: 'one' }
  return { id: ids.event(), type: 'PlaybackHeartbeat', data: what, metadata: { ...origin, ...chain } }
}

async function appends(log: EventLog, inFlight: number, events: EncodedEvent[]): Promise<void> {
  const latencies: number[] = []
  const count = events.length
  const startMs = clock.monotonic()
  const appender = async (): Promise<void> => {
    const stream = `playback-${ids.next()}`
    let expected: number | 'absent' = 'absent'
    for (let event = events.pop(); event; event = events.pop()) {
      const sinceMs = clock.monotonic()
      expected = (await log.append(stream, expected, [event])).revision
      latencies.push(clock.monotonic() - sinceMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, appender))
  report(`append, ${inFlight} in flight`, `${perSecond(count, startMs)}/s, ${latenciesOf(latencies)}`)
}

async function catchUp(log: EventLog): Promise<void> {
  const startMs = clock.monotonic()
  let lateMs = 0
  let dueMs = clock.monotonic() + 5
  const stop = clock.every(5, () => {
    lateMs = Math.max(lateMs, clock.monotonic() - dueMs)
    dueMs = clock.monotonic() + 5
  })
  let count = 0
  for await (const batch of log.follow(START, AbortSignal.timeout(60_000))) {
    count += batch.length
    if (count >= EVENTS) break
  }
  stop()
  report(`follow ${count} events`, `${perSecond(count, startMs)}/s, event loop late by at most ${lateMs.toFixed(1)} ms`)
}

const SPEC: CollectionSpec = {
  name: 'movies_g1',
  fields: {
    libraryId: 'text',
    title: 'text',
    year: 'number',
    addedAt: 'text',
    rating: 'number',
    available: 'boolean',
    genres: 'list',
    words: 'tokens',
  },
  indexes: [['title'], ['year'], ['addedAt'], ['rating'], ['libraryId', 'title'], ['libraryId', 'addedAt']],
}
const GENRES = ['drama', 'comedy', 'western', 'horror', 'thriller', 'romance', 'crime', 'war']

function film(number: number): StoredDocument {
  const scattered = (number * 7919) % FILMS
  const words = [`film${scattered}`, `word${number % 997}`, 'the', `name${number % 53}`]
  const genres = [GENRES[number % 8] ?? '', GENRES[(number >> 3) % 8] ?? '']
  const found = { libraryId: `library${number % 3}`, title: `film ${scattered}`, year: 1920 + (scattered % 107), available: true }
  const body = { ...found, addedAt: toPosition(scattered), rating: (scattered % 100) / 10, genres, words, overview: 'x'.repeat(1500) }
  return { id: ids.next(), at: START, body }
}

async function fill(store: ReadStore): Promise<void> {
  await store.open([SPEC])
  const startMs = clock.monotonic()
  for (let from = 0; from < FILMS; from += 500) {
    const puts = Array.from({ length: 500 }, (_, offset) => film(from + offset))
    const commit = { collection: SPEC.name, epoch: 1, from: toPosition(from), to: toPosition(from + 500), puts, removes: [] }
    if ((await store.commit(commit)) !== 'applied') throw new Error('fenced')
  }
  report(`put ${FILMS} documents, 500 a commit`, `${perSecond(FILMS, startMs)}/s`)
  const filledMs = clock.monotonic()
  await store.buildIndexes([SPEC.name])
  report('... and build their indexes', `${Math.round(clock.monotonic() - filledMs)} ms`)
}

/** Pages in order, each from the end of the one before. */
async function lists(store: ReadStore, title: string, query: Query): Promise<void> {
  const latencies: number[] = []
  let after: Query['after']
  let documents = 0
  for (let pages = 0; pages < 300; pages++) {
    const sinceMs = clock.monotonic()
    const page = await store.find(SPEC.name, { ...query, ...(after ? { after } : {}) })
    latencies.push(clock.monotonic() - sinceMs)
    documents += page.documents.length
    after = page.next ?? undefined
  }
  report(title, `${latenciesOf(latencies)}, ${(documents / 300).toFixed(1)} documents a page`)
}

async function documents(store: ReadStore): Promise<void> {
  const sort = (field: string, direction: 'asc' | 'desc'): Query => ({ sort: { field, direction }, limit: 20 })
  await lists(store, 'list 20 by title', sort('title', 'asc'))
  await lists(store, 'list 20 by addedAt, falling', sort('addedAt', 'desc'))
  await lists(store, 'list 20 by year (ties of 900), falling', sort('year', 'desc'))
  await lists(store, '... of one library', { ...sort('title', 'asc'), where: [{ field: 'libraryId', op: 'eq', value: 'library1' }] })
  await lists(store, '... of one genre', { ...sort('title', 'asc'), where: [{ field: 'genres', op: 'has', values: ['war'] }] })
  await lists(store, '... with a rare word', { ...sort('title', 'asc'), where: [{ field: 'words', op: 'tokens', words: ['word123'] }] })
  await lists(store, '... with a common word', { ...sort('title', 'asc'), where: [{ field: 'words', op: 'tokens', words: ['the'] }] })
  await lists(store, '... of one year in three ratings', {
    ...sort('title', 'asc'),
    where: [
      { field: 'year', op: 'eq', value: 1999 },
      { field: 'rating', op: 'in', values: [1, 2, 3] },
    ],
  })
  await lists(store, '... that nothing matches (walk of 2,000)', {
    ...sort('title', 'asc'),
    where: [{ field: 'available', op: 'eq', value: false }],
  })
}

const perSecond = (count: number, startMs: number): number => Math.round((count / (clock.monotonic() - startMs)) * 1000)
const report = (what: string, numbers: string): void => console.log(`${what.padEnd(44)} ${numbers}`)

function latenciesOf(latenciesMs: readonly number[]): string {
  const { p50, p99 } = quantiles(latenciesMs)
  return `p50 ${Math.round(p50 * 1000)} us, p99 ${Math.round(p99 * 1000)} us`
}

const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const log = createSqliteEventLog({ file: join(folder, 'log.sqlite'), clock })
const store = createSqliteReadStore({ file: join(folder, 'views.sqlite') })
try {
  const events = Array.from({ length: EVENTS }, (_, number) => heartbeat(number))
  await appends(log, 1, events.splice(0, 2_000))
  await appends(log, 64, events.splice(0, 48_000))
  await appends(log, 200, events)
  await catchUp(log)
  await fill(store)
  await documents(store)
} finally {
  await log.close()
  await store.close()
  rmSync(folder, { recursive: true })
}
