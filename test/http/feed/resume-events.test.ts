import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'
import { household } from '../../app/history/household.ts'
import { BRAZIL, take, undo } from '../../app/history/import-household.ts'
import { openEvents, type StreamedEvent } from '../event-client.ts'

const OLDER = '2020-01-01T20:00:00.000Z'

/** A household whose first user listens: each step returns its live events, and afterwards what the movie shows. */
async function setUp(t: Test) {
  const { node, ann, brazil } = await household(t)
  const app = await serveNode(t, node, { series: 'r' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/events?token=${ann.token}&types=movie.*,resume.*,watchlist.*`
  const client = await openEvents(url)
  t.teardown(client.close)
  await client.first('hello')
  let heard = 1
  const { durationMs } = brazil.files[0] ?? {}
  if (!durationMs) throw new Error('The film has no duration')
  /** The watchlist event of a mark after the step shows that all events of the step have come. */
  async function step(change: () => Promise<unknown>): Promise<readonly string[]> {
    await node.clock.advance(1_000)
    await change()
    for (const listed of [true, false]) allowed(await node.movieMarks.setWatchlisted(ann.caller, brazil.id, listed, ORIGIN))
    const isOver = () =>
      client
        .events()
        .slice(heard)
        .filter(({ event }) => event === 'watchlist.changed').length === 2
    while (!isOver()) await new Promise(setImmediate)
    const events = client.events().slice(heard)
    heard += events.length
    return events.filter(({ event }) => event !== 'watchlist.changed').map(told)
  }
  const importOf = async (more: object) => allowed(await take(node, ann, [{ ...BRAZIL, ...more }])).importId
  /** As the API shows the movie: what the last events must say, too. */
  async function shown() {
    const headers = { authorization: `Bearer ${ann.token}` }
    const { watched, position } = (await app.inject({ url: `/v1/movies/${brazil.id}`, headers })).json<Record<string, unknown>>()
    return { watched, position }
  }
  const setResume = (positionMs: number) => node.movieMarks.setResumePoint(ann.caller, brazil.id, positionMs, ORIGIN)
  const mark = () => node.movieMarks.markWatched(ann.caller, brazil.id, undefined, ORIGIN)
  const undone = (id: string | null) => undo(node, ann, id)
  return { node, ann, brazil, durationMs, step, importOf, shown, setResume, mark, undone, url }
}

const told = ({ event, data }: StreamedEvent): string => `${event} ${String('position' in data ? data['position'] : data['watchedAt'])}`

t.test('an imported position is announced as the resume point, and its undo takes it away: no mark changes', async (t) => {
  const { step, importOf, shown, undone } = await setUp(t)
  let id: string | null = null
  t.strictSame(await step(async () => (id = await importOf({ positionMs: 200_000, plays: 0 }))), ['resume.changed 200'])
  t.match(await shown(), { watched: false, position: 200 })
  t.strictSame(await step(async () => undone(id)), ['resume.changed 0'])
  t.match(await shown(), { watched: false, position: 0 })
})

t.test('an imported viewing that is older than the resume point leaves it, and says so after the mark', async (t) => {
  const { step, importOf, shown, setResume, undone } = await setUp(t)
  t.strictSame(await step(() => setResume(120_000)), ['resume.changed 120'])
  let id: string | null = null
  t.strictSame(await step(async () => (id = await importOf({ watchedAt: OLDER }))), [`movie.watched ${OLDER}`, 'resume.changed 120'])
  t.match(await shown(), { watched: true, position: 120 })
  t.strictSame(await step(async () => undone(id)), ['movie.unwatched null', 'resume.changed 120'])
  t.match(await shown(), { watched: false, position: 120 })
})

t.test('an imported viewing that is newer than the resume point clears it, and its undo brings it back', async (t) => {
  const { node, step, importOf, shown, setResume, undone } = await setUp(t)
  await step(() => setResume(120_000))
  await node.clock.advance(60_000)
  const watchedAt = new Date(node.clock.now()).toISOString()
  let id: string | null = null
  t.strictSame(await step(async () => (id = await importOf({ watchedAt }))), [`movie.watched ${watchedAt}`, 'resume.changed 0'])
  t.match(await shown(), { watched: true, position: 0 })
  t.strictSame(await step(async () => undone(id)), ['movie.unwatched null', 'resume.changed 120'])
  t.match(await shown(), { watched: false, position: 120 })
})

t.test('an import that changes neither the mark nor a resume point announces neither', async (t) => {
  const { step, importOf, mark, undone } = await setUp(t)
  await step(mark)
  let id: string | null = null
  t.strictSame(await step(async () => (id = await importOf({ watchedAt: OLDER }))), [], 'marked by hand')
  t.strictSame(await step(async () => undone(id)), [])
})

t.test('the first of several imported viewings dates the mark: without it the next one does', async (t) => {
  const { step, importOf, undone } = await setUp(t)
  const later = '2021-01-01T20:00:00.000Z'
  let id: string | null = null
  t.strictSame(await step(async () => importOf({ watchedAt: later })), [`movie.watched ${later}`])
  t.strictSame(await step(async () => (id = await importOf({ watchedAt: OLDER }))), [`movie.watched ${OLDER}`])
  t.strictSame(await step(async () => importOf({ watchedAt: '2022-01-01T20:00:00.000Z' })), [])
  t.strictSame(await step(async () => undone(id)), [`movie.watched ${later}`])
})

t.test('a resume point where nobody can go on is announced as none', async (t) => {
  const { step, setResume, shown, durationMs } = await setUp(t)
  for (const share of [0.97, 0.9, 0.001, 0]) {
    await step(() => setResume(120_000))
    t.strictSame(await step(() => setResume(durationMs * share)), ['resume.changed 0'], String(share))
    t.match(await shown(), { position: 0 })
  }
})

t.test('a replay announces the resume point of an import as it is by then', async (t) => {
  const { step, importOf, setResume, url } = await setUp(t)
  const client = await openEvents(url)
  const { id } = await client.first('hello')
  client.close()
  await step(async () => importOf({ positionMs: 200_000, plays: 0 }))
  await step(() => setResume(300_000))
  const replay = await openEvents(`${url}&lastEventId=${id}`)
  t.teardown(replay.close)
  while (replay.events().filter(({ event }) => event === 'watchlist.changed').length < 4) await new Promise(setImmediate)
  t.strictSame(
    replay
      .events()
      .filter(({ event }) => event === 'resume.changed')
      .map(told),
    ['resume.changed 300', 'resume.changed 300'],
  )
})
