import t, { type Test } from 'tap'
import { createChanges, type ChangesPoint } from '../../../src/app/feed/changes.ts'
import { createLogPages } from '../../../src/app/feed/log-pages.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import type { Position } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Change } from '../../../src/app/feed/changes-walk.ts'
import type { Caller } from '../../../src/app/access/caller.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const STAYS = new AbortController().signal
const pageOf = async (node: NodeFixture, caller: Caller, { point, limit }: { point: ChangesPoint | undefined; limit: number }) =>
  allowed(await node.changes.list(caller, point, { limit, signal: STAYS }))

/** A client that keeps a copy: all changes that it received, page by page, from its position. */
async function follow(node: NodeFixture, caller: Caller, point?: ChangesPoint, limit = 3) {
  const items: Change[] = []
  let next = point
  for (let pages = 0; pages < 100; pages++) {
    const page = await pageOf(node, caller, { point: next, limit: limit })
    if (page.items.length > limit) throw new Error('A page is too long')
    items.push(...page.items)
    next = page.next
    if (page.upToDate) return { told: items.map(({ kind, type, id }) => `${kind} ${type} ${id}`), next, items }
  }
  throw new Error('It does not end')
}

async function setUp(t: Test) {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  for (const title of ['Alien', 'Brazil', 'Casablanca', 'Dune']) node.mediaFiles.put(`/films/${title} (1927).mkv`)
  node.mediaFiles.put('/shelf/Eraserhead (1977).mkv')
  const [films, series] = [await node.newLibrary('/films'), await node.newLibrary('/shelf')]
  await node.scan(films)
  await node.scan(series)
  const ann = await node.person({ libraryAccess: 'selected', libraryIds: [films] })
  const movies = new Map<string, string>()
  for (const title of ['Alien', 'Brazil', 'Casablanca', 'Dune', 'Eraserhead']) movies.set(title, (await node.movieNamed(title)).id)
  const grant = async (...libraryIds: (typeof films)[]): Promise<Caller> => {
    allowed(await node.users.change(admin.caller, ann.caller.userId, { libraryAccess: 'selected', libraryIds }, ORIGIN))
    return { ...ann.caller, libraryIds }
  }
  return { node, ann, admin, films, series, movie: (title: string) => movies.get(title) ?? '', grant }
}

t.test('it begins with everything that the caller sees, and marks; nothing of what the caller does not see', async (t) => {
  const { node, ann, films, movie } = await setUp(t)
  allowed(await node.movieMarks.markWatched(ann.caller, movie('Brazil'), undefined, ORIGIN))
  for (const limit of [1, 2, 3, 100]) {
    const { told } = await follow(node, ann.caller, undefined, limit)
    t.strictSame(
      told.toSorted(),
      [
        `upsert library ${films}`,
        ...['Alien', 'Brazil', 'Casablanca', 'Dune'].map((title) => `upsert movie ${movie(title)}`),
        `upsert userState ${movie('Brazil')}`,
      ].toSorted(),
      `limit ${limit}`,
    )
  }
})

t.test('from there on what changes comes once each, with its place in the log; nothing new is nothing', async (t) => {
  const { node, ann, series, movie } = await setUp(t)
  const { next } = await follow(node, ann.caller)
  t.strictSame((await follow(node, ann.caller, next)).told, [])
  allowed(await node.movieMarks.markWatched(ann.caller, movie('Brazil'), undefined, ORIGIN))
  allowed(await node.movieMarks.markUnwatched(ann.caller, movie('Brazil'), ORIGIN))
  allowed(await node.movieMarks.markWatched(ann.caller, movie('Alien'), undefined, ORIGIN))
  const other = await node.person()
  allowed(await node.movieMarks.markWatched(other.caller, movie('Dune'), undefined, ORIGIN))
  node.mediaFiles.put('/shelf/Fargo (1996).mkv')
  await node.scan(series)
  const { told, items, next: then } = await follow(node, ann.caller, next)
  t.strictSame(told, [`upsert userState ${movie('Brazil')}`, `upsert userState ${movie('Alien')}`])
  t.ok(items.every(({ position }, n) => position > (items[n - 1]?.position ?? next.at)))
  t.strictSame((await follow(node, ann.caller, then)).told, [])
})

t.test('what the caller plays is a change of their state of the film; what others play is none', async (t) => {
  const { node, ann, movie } = await setUp(t)
  const other = await node.person()
  const { next } = await follow(node, ann.caller)
  for (const [{ caller }, title] of [
    [ann, 'Brazil'],
    [other, 'Dune'],
  ] as const) {
    const { session } = allowed(await node.playback.start(caller, { movieId: movie(title) }, ORIGIN))
    await node.clock.advance(10_000)
    allowed(await node.playback.heartbeat(caller, session.id, { positionMs: 600_000 }, ORIGIN))
  }
  t.strictSame((await follow(node, ann.caller, next)).told, [`upsert userState ${movie('Brazil')}`])
})

t.test('a grant that goes is a remove of all that it showed, one that comes an upsert', async (t) => {
  const { node, ann, films, series, movie, grant } = await setUp(t)
  const { next } = await follow(node, ann.caller)
  const other = await grant(series)
  const { told, next: then } = await follow(node, other, next)
  t.strictSame(
    told.slice(0, 4).toSorted(),
    ['Alien', 'Brazil', 'Casablanca', 'Dune'].map((title) => `remove movie ${movie(title)}`).toSorted(),
  )
  t.strictSame(told.slice(4), [`remove library ${films}`, `upsert library ${series}`, `upsert movie ${movie('Eraserhead')}`])
  t.strictSame((await follow(node, other, then)).told, [])
})

t.test('a grant revoked while its library is being listed removes the listed movies again', async (t) => {
  const { node, ann, films, movie, grant } = await setUp(t)
  let page = await pageOf(node, ann.caller, { point: undefined, limit: 2 })
  page = await pageOf(node, ann.caller, { point: page.next, limit: 2 })
  t.equal(page.next.walk?.stage, 'movies')
  const none = await grant()
  const { told } = await follow(node, none, page.next)
  for (const { id } of page.items) t.ok(told.includes(`remove movie ${id}`))
  t.ok(told.includes(`remove library ${films}`))
  t.ok(
    told.every((text) => text.startsWith('remove')),
    movie('Alien'),
  )
})

t.test('a library that is removed goes, one that is restored comes back', async (t) => {
  const { node, ann, admin, films } = await setUp(t)
  const { next } = await follow(node, ann.caller)
  allowed(await node.libraries.remove(admin.caller, films, ORIGIN))
  const gone = await follow(node, ann.caller, next)
  t.equal(gone.told.at(-1), `remove library ${films}`)
  t.equal(gone.told.length, 5)
  allowed(await node.libraries.restore(admin.caller, films, ORIGIN))
  const back = await follow(node, ann.caller, gone.next)
  t.equal(back.told[0], `upsert library ${films}`)
  t.equal(back.told.filter((text) => text.startsWith('upsert movie')).length, 4)
})

t.test('a hundred and fifty clients that are far behind read the log once, and nobody else is kept waiting', async (t) => {
  const { node, ann, movie } = await setUp(t)
  const { next } = await follow(node, ann.caller)
  for (let round = 0; round < 400; round++) {
    allowed(await node.movieMarks.markWatched(ann.caller, movie('Brazil'), undefined, ORIGIN))
    allowed(await node.movieMarks.markUnwatched(ann.caller, movie('Brazil'), ORIGIN))
  }
  const { log, clock } = node.cluster
  let read = 0
  const follows: EventLog['follow'] = (...asked) => {
    read++
    return log.follow(...asked)
  }
  const changes = createChanges({ ...node, pages: createLogPages({ clock, log: { follow: follows } }) })
  const clients = await Promise.all(Array.from({ length: 150 }, () => changes.list(ann.caller, next, { limit: 20, signal: STAYS })))
  t.ok(clients.every((page) => allowed(page).items.some(({ id }) => id === movie('Brazil'))))
  t.ok(read <= 4, `${read} reads of the log`)
  const before = read
  allowed(await changes.list(ann.caller, next, { limit: 20, signal: STAYS }))
  t.equal(read, before, 'what was read is kept')
})

t.test('a log that does not answer is a refusal after eight seconds', async (t) => {
  const { node, ann, movie } = await setUp(t)
  const { next } = await follow(node, ann.caller)
  allowed(await node.movieMarks.markWatched(ann.caller, movie('Brazil'), undefined, ORIGIN))
  async function* silent(_after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield []
  }
  const changes = createChanges({ ...node, pages: createLogPages({ clock: node.clock, log: { follow: silent } }) })
  const asked = changes.list(ann.caller, next, { limit: 20, signal: STAYS })
  await node.clock.advance(8000)
  t.match(await asked, { refusal: 'unavailable', retryAfterSeconds: 5 })
})
