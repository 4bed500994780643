import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readForeignHistory } from '../../../src/adapters/foreign-history/read-foreign-history.ts'
import type { ForeignProgram } from '../../../src/ports/foreign-history.ts'
import { makeDatabase } from './databases.ts'
import { KODI } from './schemas.ts'

const readText = (t: { testdir(): string }, program: ForeignProgram, text: string) => {
  const file = join(t.testdir(), 'export')
  writeFileSync(file, text)
  return readForeignHistory(program, file)
}

const PONYO = { imdb: 'tt0876563', tmdb: '12429', title: 'Ponyo', year: 2008 }

t.test('what Jellyfin answers for one user', async (t) => {
  const items = [
    {
      Id: 'a',
      Name: 'Ponyo',
      Type: 'Movie',
      ProductionYear: 2008,
      ProviderIds: { Imdb: 'tt0876563', Tmdb: '12429' },
      UserData: { Played: true, PlayCount: 2, PlaybackPositionTicks: 0, LastPlayedDate: '2024-05-01T20:15:00.1234567Z' },
    },
    { Id: 'b', Name: 'Pilot', Type: 'Episode', UserData: { Played: true, LastPlayedDate: '2024-05-01T20:15:00Z' } },
    { Id: 'c', Name: 'Unseen', Type: 'Movie' },
  ]
  const { users, watches } = await readText(t, 'jellyfin', JSON.stringify({ Items: items, TotalRecordCount: 3 }))
  t.strictSame(users, [{ id: '', name: 'Jellyfin' }])
  t.strictSame(watches, [
    { user: '', ...PONYO, watchedAt: '2024-05-01T20:15:00.123Z', watchedMs: 0, plays: 2, tally: true, positionMs: null },
  ])
})

t.test("Trakt's history and its list of watched films", async (t) => {
  const movie = { title: 'Ponyo', year: 2008, ids: { trakt: 1, slug: 'ponyo-2008', imdb: 'tt0876563', tmdb: 12_429 } }
  const history = [
    { id: 1, watched_at: '2024-05-01T20:15:00.000Z', action: 'scrobble', type: 'movie', movie },
    { id: 2, watched_at: '2024-06-01T20:15:00.000Z', action: 'watch', type: 'episode', episode: {}, show: {} },
    { plays: 3, last_watched_at: '2024-07-01T20:15:00.000Z', movie },
    { plays: 1, last_watched_at: null, movie },
  ]
  const { watches, undated } = await readText(t, 'trakt', JSON.stringify(history))
  const base = { user: 'trakt', ...PONYO, watchedMs: 0, positionMs: null }
  t.strictSame(watches, [
    { ...base, watchedAt: '2024-05-01T20:15:00.000Z', plays: 1 },
    { ...base, watchedAt: '2024-07-01T20:15:00.000Z', plays: 3, tally: true },
  ])
  t.equal(undated, 1)
})

t.test("Letterboxd's diary and its list of watched films, with what CSV allows in a title", async (t) => {
  const diary = `\uFEFFDate,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date
2024-05-03,Ponyo,2008,https://boxd.it/1,5,,,2024-05-01\r
2024-05-04,"Am I ""Right"", or
not?",1999,https://boxd.it/2,,Yes,"a, b",

2024-05-05,,,,,,,
`
  const { watches } = await readText(t, 'letterboxd', diary)
  const base = { user: 'letterboxd', imdb: null, tmdb: null, watchedMs: 0, plays: 1, positionMs: null }
  t.strictSame(watches, [
    { ...base, title: 'Ponyo', year: 2008, watchedAt: '2024-05-01T12:00:00.000Z' },
    { ...base, title: 'Am I "Right", or\nnot?', year: 1999, watchedAt: '2024-05-04T12:00:00.000Z' },
  ])
  const watched = await readText(t, 'letterboxd', 'Date,Name,Year,Letterboxd URI\n2024-05-03,Ponyo,2008,https://boxd.it/1\n')
  t.strictSame(watched.watches, [{ ...base, title: 'Ponyo', year: 2008, watchedAt: '2024-05-03T12:00:00.000Z' }])
})

t.test('a true export without any viewing is no error', async (t) => {
  const header = 'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date'
  for (const text of [header, `${header}\n`, `\uFEFF${header}\r\n`]) t.strictSame((await readText(t, 'letterboxd', text)).watches, [])
  for (const text of ['[]', '{"movies":[]}', '[{"plays":3,"show":{},"seasons":[]}]'])
    t.strictSame((await readText(t, 'trakt', text)).watches, [])
})

t.test('an empty or cut-off export of Letterboxd is refused, and a last line without a line feed is not', async (t) => {
  const whole = 'Date,Name,Year,Letterboxd URI,Watched Date\n2024-05-03,"Ponyo, on the Cliff",2008,https://boxd.it/1,'
  t.equal((await readText(t, 'letterboxd', whole)).watches.length, 1)
  for (const text of ['', '\uFEFF', '\n\n', 'Date,Na'])
    await t.rejects(readText(t, 'letterboxd', text), /^The file is not an export of Letterboxd\. Give diary\.csv/, text)
  for (const cut of [' on', 'the Cliff"', '2008', 'boxd.it'])
    await t.rejects(
      readText(t, 'letterboxd', whole.slice(0, whole.indexOf(cut) + cut.length)),
      /is cut off: its last line is incomplete/,
      cut,
    )
})

t.test('a file that is something else is named, with what was expected', async (t) => {
  const reads = (program: ForeignProgram, text: string) =>
    t.rejects(readText(t, program, text), { code: 'foreign-history-unreadable' }, text)
  await reads('trakt', 'not JSON')
  await reads('trakt', '{"a": 1}')
  await reads('trakt', '[{"foo":1}]')
  await reads('trakt', '[1]')
  await reads('jellyfin', '{}')
  await reads('letterboxd', 'a,b\n1,2\n')
  await reads('plex', 'a text')
  await reads('kodi', 'SQLite format 3\0 and then nothing of the kind')
  const kodi = makeDatabase(t.testdir(), 'kodi.db', KODI, {})
  for (const program of ['jellyfin', 'plex', 'tautulli', 'trakt', 'letterboxd'] as const) {
    await t.rejects(readForeignHistory(program, kodi), { code: 'foreign-history-unreadable' }, program)
  }
  await t.rejects(readForeignHistory('plex', '/no/such/file'), /Cannot read \/no\/such\/file as Plex's database: .*ENOENT/)
  t.strictSame((await readForeignHistory('kodi', kodi)).watches, [])
})
