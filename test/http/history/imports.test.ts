import t from 'tap'
import { toPosition } from '../../../src/events/position.ts'
import type { ExportedEntry } from '../../../src/app/history/history.ts'
import type { ImportPage } from '../../../src/app/history/history-imports.ts'
import type { MovieId, UserId, ViewingId } from '../../../src/vocabulary/id.ts'
import { serverOf, type Test } from '../http-server.ts'
import { addImportRoutes } from '../../../src/http/history/import-routes.ts'
import { createFakeHistory } from '../../fixtures/fake-services/history.ts'

const startServer = serverOf(addImportRoutes, createFakeHistory)

const URL = '/v1/history/import'
const ITEM = { tmdbId: '12720', watchedAt: '2024-05-01T22:15:00+02:00' }

/** A server that records its imports, and exports these entries. */
async function opened(t: Test, pages: readonly (readonly ExportedEntry[])[] = []) {
  const taken: ImportPage[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      history: {
        ...services.history,
        pages: async () =>
          (async function* () {
            yield* pages
          })(),
      },
      historyImports: {
        ...services.historyImports,
        take: async (_, page) => {
          taken.push(page)
          return { importId: null, imported: page.items.length, known: 0, unmatched: [] }
        },
      },
    }),
  })
  return { ask: server.ask.bind(server), taken }
}

t.test('items are accepted in every documented form', async (t) => {
  const { ask, taken } = await opened(t)
  const items = [
    ITEM,
    { tmdbId: 12720, watchedAt: '2024-05-01T20:15:00Z', plays: 3, tally: true, watchedSeconds: 61.5 },
    { title: 'Ponyo', year: 2008, imdbId: 'tt0876563', watchedAt: '2024-05-01T20:15:00Z', position: 600.25 },
  ]
  const { status, text } = await ask('POST', URL, { body: { source: 'trakt', items } })
  t.equal(status, 200, text)
  const watchedAt = '2024-05-01T20:15:00.000Z'
  const plain = { imdb: null, title: null, year: null, watchedAt, plays: 1, watchedMs: 0, positionMs: null }
  t.strictSame(taken, [
    {
      source: 'trakt',
      importId: null,
      dryRun: false,
      items: [
        { ...plain, tmdb: '12720' },
        { ...plain, tmdb: '12720', plays: 3, tally: true, watchedMs: 61_500 },
        { ...plain, tmdb: null, imdb: 'tt0876563', title: 'Ponyo', year: 2008, plays: 0, positionMs: 600_250 },
      ],
    },
  ])
})

t.test('what names no film, or is no value, is refused with its path', async (t) => {
  const { ask, taken } = await opened(t)
  const refused = async (items: unknown, more: object = {}) => {
    const answer = await ask('POST', URL, { body: { source: 'trakt', items, ...more } })
    t.equal(answer.status, 422)
    return answer.json<{ details: { path: string }[] }>().details.map(({ path }) => path)
  }
  t.strictSame(await refused([ITEM, { watchedAt: ITEM.watchedAt }]), ['items.1'])
  t.strictSame(await refused([]), ['items'])
  for (const watchedAt of ['yesterday', '2016-12-31T23:59:60Z', '2024-05-01T22:15:00+0200'])
    t.strictSame(await refused([{ ...ITEM, watchedAt }]), ['items.0.watchedAt'])
  t.strictSame(
    await refused([
      { ...ITEM, tmdbId: 'x' },
      { ...ITEM, imdbId: '1' },
    ]),
    ['items.0.tmdbId', 'items.1.imdbId'],
  )
  for (const tmdbId of [0, 1.5, 10_000_000_000, 2 ** 53, 1e30])
    t.strictSame(await refused([{ ...ITEM, tmdbId }]), ['items.0.tmdbId'], String(tmdbId))
  t.strictSame(await refused([{ ...ITEM, position: -1 }]), ['items.0.position'])
  t.strictSame(await refused([ITEM], { source: 'Trakt!' }), ['source'])
  t.strictSame(await refused(Array.from({ length: 5001 }, () => ITEM)), ['items'])
  t.strictSame(taken, [])
})

const ENTRY: ExportedEntry = {
  id: 'xV1VjYvB9mQw2eRt5yUi8' as ViewingId,
  source: 'import',
  importId: null,
  userId: 'pJ3vJ8wF2sQx0aT5uYkLm' as UserId,
  movieId: 'Mv4zX7cV1bNm9qW3eRtYu' as MovieId,
  libraryId: null,
  title: '=cmd, "Brazil"',
  year: 1985,
  fileId: null,
  startedAt: '2024-05-01T20:15:00.000Z',
  startedMinute: 0,
  endedAt: '2024-05-01T22:15:00.000Z',
  endReason: null,
  beatAt: '2024-05-01T22:15:00.000Z',
  idleSeconds: null,
  startPositionMs: 0,
  positionMs: 0,
  durationMs: 0,
  endPercent: null,
  watchedMs: 61_500,
  completed: true,
  method: null,
  quality: null,
  resolution: null,
  client: null,
  clientKey: null,
  hidden: false,
  over: true,
  overSince: toPosition(1),
  externalIds: { tmdb: '68', imdb: 'tt0088846' },
}

t.test('the history is exported as an array, as a table, and as Trakt has it', async (t) => {
  const { ask } = await opened(t, [[ENTRY], [{ ...ENTRY, completed: false }]])
  const json = await ask('GET', '/v1/history/export')
  t.match(json.headers['content-disposition'], 'marquee-history.json')
  t.match(json.json(), [{ id: ENTRY.id, movie: { year: 1985 }, watchedSeconds: 61.5 }, { completed: false }])
  const csv = await ask('GET', '/v1/history/export?format=csv')
  t.match(csv.headers['content-type'], 'text/csv')
  const [header, line, ...rest] = csv.text.split('\r\n')
  t.match(header, /^id,userId,movieId,title,year,tmdbId,imdbId,startedAt/)
  t.match(line, `"'=cmd, ""Brazil""",1985,68,tt0088846,${ENTRY.startedAt}`, 'no spreadsheet takes it for a formula')
  t.equal(rest.length, 2)
  const trakt = await ask('GET', '/v1/history/export?format=trakt')
  t.strictSame(trakt.json(), [
    {
      id: ENTRY.id,
      watched_at: ENTRY.endedAt,
      action: 'watch',
      type: 'movie',
      movie: { title: ENTRY.title, year: 1985, ids: { imdb: 'tt0088846', tmdb: 68 } },
    },
  ])
})

t.test('an empty history is an empty array, and a table of its header alone', async (t) => {
  const { ask } = await opened(t)
  t.strictSame((await ask('GET', '/v1/history/export')).json(), [])
  t.equal((await ask('GET', '/v1/history/export?format=csv')).text.split('\r\n').length, 2)
})
