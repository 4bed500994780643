import t from 'tap'
import { startServer } from '../../http/http-server.ts'
import type { LiveData } from '../../../web/data/live.ts'
import { KINDS } from '../../../web/data/live-stream.ts'
import { dependsOnMarks } from '../../../web/data/marked-lists.ts'
import { CARDS, leavesRow, marksIn, staleBy, type Stale } from '../../../web/data/stale.ts'

type LiveScan = NonNullable<LiveData['scan']>
const DATA = {
  movieId: 'm',
  libraryId: 'l',
  position: 30,
  watchedAt: '2026-01-02T12:00:00.000Z',
  scan: { id: 's', libraryId: 'l' } as LiveScan,
}
const ALL: Stale = { keys: '*' }
const NOTHING: Stale = { keys: [] }
const DETAILS = [
  ['movie', 'm'],
  ['credits', 'm'],
  ['file-stats', 'm'],
]
const LISTS: Stale = { keys: [['facets'], ['collections'], ...DETAILS, ...CARDS] }
const OF_LIBRARY = [['library', 'l'], ['libraries'], ['facets'], ['collections'], ...CARDS]
const LIBRARY: Stale = { keys: OF_LIBRARY }
const REMOVED: Stale = { keys: [...OF_LIBRARY, ['movie']] }
const SCAN = [
  ['scan', 'l'],
  ['scans', 'l'],
]
const USERS: Stale = { keys: [['users'], ['user'], ['logins-of']] }
const MARK: Stale = { keys: [['collections'], ['history'], ['stats']], byMarks: true }

/** The queries that each kind of event makes stale. */
const TABLE: Readonly<Record<string, Stale>> = {
  hello: NOTHING,
  reset: ALL,
  'access.changed': ALL,
  'preferences.changed': { keys: [['preferences']] },
  'server.stopping': NOTHING,
  'library.created': LIBRARY,
  'library.updated': LIBRARY,
  'library.deleted': REMOVED,
  'library.offline': LIBRARY,
  'library.online': LIBRARY,
  'library.massMissing': LIBRARY,
  'scan.started': { keys: SCAN },
  'scan.progress': NOTHING,
  'scan.completed': { keys: [...SCAN, ['libraries'], ['library', 'l'], ['facets']] },
  'scan.failed': { keys: [...SCAN, ['libraries'], ['library', 'l']] },
  'scan.cancelled': { keys: [...SCAN, ['libraries'], ['library', 'l']] },
  'movie.added': LISTS,
  'movie.updated': { keys: [['facets'], ['collections'], ...DETAILS], movie: 'm' },
  'movie.missing': LISTS,
  'movie.restored': LISTS,
  'movie.removed': LISTS,
  'movie.watched': MARK,
  'movie.unwatched': MARK,
  'resume.changed': { keys: [['home']], byMarks: true },
  'watchlist.changed': { keys: [['home']], byMarks: true },
  'playback.started': { keys: [['sessions']] },
  'playback.progress': NOTHING,
  'playback.seeked': NOTHING,
  'playback.ended': { keys: [['sessions'], ['home'], ['history'], ['stats'], ['movie', 'm']], byMarks: true, movie: 'm' },
  'playback.command': NOTHING,
  'user.created': USERS,
  'user.updated': USERS,
  'user.deleted': { keys: [['users'], ['user']] },
  'trickplay.ready': NOTHING,
  'history.added': NOTHING,
  'analytics.changed': { keys: [['history'], ['stats']] },
  'projection.rebuilding': NOTHING,
  'projection.rebuilt': { keys: [['projections']] },
}

t.test('every kind of event that the server describes is heard, and what it makes old is laid down', async (t) => {
  const server = await startServer(t)
  const description = (await server.ask('GET', '/v1/openapi.json')).json<{
    paths: { '/api/events': { get: { 'x-event-schemas': Record<string, unknown> } } }
  }>()
  const kinds = Object.keys(description.paths['/api/events'].get['x-event-schemas'])
  t.strictSame(kinds.toSorted(), Object.keys(TABLE).toSorted())
  t.strictSame([...KINDS].toSorted(), kinds.toSorted())
  for (const kind of kinds) t.strictSame(staleBy(kind, DATA), TABLE[kind], kind)
})

t.test('the end of another viewer’s session, of which administrators hear, changes only who watches what', async (t) => {
  t.strictSame(staleBy('playback.ended', DATA, true), { keys: [['sessions']] })
  t.strictSame(staleBy('playback.started', DATA, true), { keys: [['sessions']] })
})

t.test('marks are shown from the event itself', async (t) => {
  t.strictSame(marksIn('movie.watched', DATA), { watched: true, watchedAt: DATA.watchedAt, position: 0 })
  t.strictSame(marksIn('movie.unwatched', DATA), { watched: false, watchedAt: null })
  t.strictSame(marksIn('resume.changed', DATA), { position: 30 })
  t.equal(marksIn('resume.changed', { ...DATA, position: null }), undefined, 'a film that leaves the row keeps its position')
  t.strictSame(marksIn('watchlist.changed', { ...DATA, watchlist: false }), { watchlist: false })
  for (const kind of Object.keys(TABLE).filter((name) => !/^(movie\.(un)?watched|resume\.changed)$/.test(name)))
    t.equal(marksIn(kind, DATA), undefined, kind)
})

t.test('a film leaves the row to continue watching when it is watched or dismissed, and at no other event', async (t) => {
  const leaving = Object.keys(TABLE).filter((kind) => leavesRow(kind, DATA))
  t.strictSame(leaving, ['movie.watched'])
  t.ok(leavesRow('resume.changed', { ...DATA, position: null }))
  t.ok(leavesRow('resume.changed', { ...DATA, position: 0 }))
})

t.test('lists that marks lengthen or reorder are distinguished from those that they only colour', async (t) => {
  const key = (query: object) => ['movies', JSON.stringify(query), 0, null]
  for (const query of [{ watched: false }, { inProgress: true }, { watchlist: true, genre: ['Drama'] }, { sort: 'lastPlayedAt' }])
    t.ok(dependsOnMarks(key(query)), JSON.stringify(query))
  for (const query of [{}, { genre: ['watched'] }, { sort: 'title', q: 'watchlist' }])
    t.notOk(dependsOnMarks(key(query)), JSON.stringify(query))
  t.notOk(dependsOnMarks(['home']))
})
