import t from 'tap'
import { readForeignHistory } from '../../../src/adapters/foreign-history/read-foreign-history.ts'
import { makeDatabase, MOVIE, type Rows } from './databases.ts'
import { JELLYFIN, KODI, OLD_KODI, OLD_JELLYFIN_ITEMS, OLD_JELLYFIN_USERS, PLEX, TAUTULLI } from './schemas.ts'

const BRAZIL = { imdb: 'tt0088846', tmdb: '68', title: 'Brazil', year: 1985 }
const seconds = (iso: string): number => Date.parse(iso) / 1000

t.test('Jellyfin 10.11: what was watched, how often, when last, and where it was left', async (t) => {
  const item = (Id: string, Name: string, Type = MOVIE) => ({ Id, Name, Type, ProductionYear: 1985, IsMovie: 1, IsLocked: 0, IsFolder: 0 })
  const data = (ItemId: string, UserId: string, more: object) => ({
    ItemId,
    UserId,
    CustomDataKey: ItemId,
    IsFavorite: 0,
    PlayCount: 0,
    PlaybackPositionTicks: 0,
    Played: 0,
    LastPlayedDate: null,
    ...more,
  })
  const file = makeDatabase(t.testdir(), 'jellyfin.db', JELLYFIN, {
    Users: [
      { Id: 'A-1', Username: 'Ann', InternalId: 1 },
      { Id: 'B-2', Username: 'Bob', InternalId: 2 },
      { Id: 'C-3', Username: 'Nobody', InternalId: 3 },
    ],
    BaseItems: [item('m1', 'Brazil'), item('m2', 'Heat'), item('m3', 'Ran'), item('m4', 'Alien'), item('e1', 'Pilot', 'Episode')],
    BaseItemProviders: [
      { ItemId: 'm1', ProviderId: 'Imdb', ProviderValue: 'tt0088846' },
      { ItemId: 'm1', ProviderId: 'Tmdb', ProviderValue: '68' },
    ],
    UserData: [
      data('m1', 'A-1', { Played: 1, PlayCount: 3, LastPlayedDate: '2024-05-01 20:15:00.1234567' }),
      // An older row of the same movie under another key: the newer one counts.
      data('m1', 'A-1', { CustomDataKey: 'tt0088846', Played: 0, PlaybackPositionTicks: 1, LastPlayedDate: '2023-01-01 00:00:00' }),
      data('m2', 'A-1', { PlayCount: 1, PlaybackPositionTicks: 36_000_000_000, LastPlayedDate: '2024-06-01 10:00:00' }),
      data('m3', 'B-2', { Played: 1, PlayCount: 2, PlaybackPositionTicks: 600_000_000, LastPlayedDate: '2024-07-01 10:00:00' }),
      data('m4', 'B-2', { Played: 1, PlayCount: 0 }),
      data('m2', 'B-2', { IsFavorite: 1 }),
      data('e1', 'A-1', { Played: 1, PlayCount: 1, LastPlayedDate: '2024-05-01 20:15:00' }),
    ],
  })
  const { description, users, watches, undated } = await readForeignHistory('jellyfin', file)
  t.equal(description, 'Jellyfin database')
  t.strictSame(new Map(users.map(({ id, name }) => [id, name])), new Map([['A-1', 'Ann'], ['B-2', 'Bob']])) // prettier-ignore
  t.equal(undated, 1, 'Alien, at no known time')
  const heat = { imdb: null, tmdb: null, title: 'Heat', year: 1985, watchedMs: 0 }
  t.strictSame(watches, [
    { user: 'A-1', ...BRAZIL, watchedMs: 0, watchedAt: '2024-05-01T20:15:00.123Z', plays: 3, tally: true, positionMs: null },
    { user: 'A-1', ...heat, watchedAt: '2024-06-01T10:00:00.000Z', plays: 0, positionMs: 3_600_000 },
    { user: 'B-2', ...heat, title: 'Ran', watchedAt: '2024-07-01T09:59:59.999Z', plays: 1, tally: true, positionMs: null },
    { user: 'B-2', ...heat, title: 'Ran', watchedAt: '2024-07-01T10:00:00.000Z', plays: 0, positionMs: 60_000 },
  ])
})

t.test('Jellyfin before 10.11: the films in one database, the names of the users in the one beside it', async (t) => {
  const folder = t.testdir()
  const file = makeDatabase(folder, 'library.db', OLD_JELLYFIN_ITEMS, {
    TypedBaseItems: [
      {
        guid: 'g1',
        type: MOVIE,
        Name: 'Brazil',
        ProductionYear: 1985,
        UserDataKey: 'tt0088846',
        ProviderIds: 'Imdb=tt0088846|Tmdb=68|TmdbCollection=7',
      },
    ],
    UserDatas: [
      {
        key: 'tt0088846',
        userId: 1,
        played: 1,
        playCount: 2,
        isFavorite: 0,
        playbackPositionTicks: 0,
        lastPlayedDate: '2020-02-03 04:05:06Z',
      },
    ],
  })
  const watch = { user: '1', ...BRAZIL, watchedMs: 0, watchedAt: '2020-02-03T04:05:06.000Z', plays: 2, tally: true, positionMs: null }
  const nameless = await readForeignHistory('jellyfin', file)
  t.strictSame([nameless.users, nameless.watches], [[{ id: '1', name: 'User 1' }], [watch]])
  const accounts = makeDatabase(folder, 'jellyfin.db', OLD_JELLYFIN_USERS, { Users: [{ Id: 'x', Username: 'Ann', InternalId: 1 }] })
  t.strictSame((await readForeignHistory('jellyfin', file)).users, [{ id: '1', name: 'Ann' }])
  await t.rejects(readForeignHistory('jellyfin', accounts), /Give jellyfin\.db, or library\.db before 10\.11/)
})

t.test('Plex: each viewing, those that are only counted, and where a film was left', async (t) => {
  const rows: Rows = {
    accounts: [
      { id: 1, name: 'ann' },
      { id: 7, name: '' },
    ],
    metadata_items: [
      { id: 1, metadata_type: 1, guid: 'plex://movie/abc', title: 'Brazil', year: 1985 },
      { id: 2, metadata_type: 1, guid: 'com.plexapp.agents.imdb://tt0113277?lang=en', title: 'Heat', year: 1995 },
      { id: 3, metadata_type: 4, guid: 'plex://episode/x', title: 'Pilot', year: 2001 },
      { id: 4, metadata_type: 1, guid: 'com.plexapp.agents.themoviedb://348?lang=en', title: 'Alien', year: 1979 },
    ],
    tags: [
      { id: 1, tag: 'imdb://tt0088846', tag_type: 314 },
      { id: 2, tag: 'tmdb://68', tag_type: 314 },
      { id: 3, tag: 'Comedy', tag_type: 1 },
    ],
    taggings: [
      { metadata_item_id: 1, tag_id: 3 },
      { metadata_item_id: 1, tag_id: 1 },
      { metadata_item_id: 1, tag_id: 2 },
    ],
    metadata_item_views: [
      { account_id: 1, guid: 'plex://movie/abc', metadata_type: 1, title: 'Brazil', viewed_at: seconds('2023-01-01T20:00:00Z') },
      { account_id: 1, guid: 'plex://movie/abc', metadata_type: 1, title: 'Brazil', viewed_at: seconds('2024-01-01T20:00:00Z') },
      { account_id: 1, guid: 'plex://episode/x', metadata_type: 4, title: 'Pilot', viewed_at: seconds('2024-01-01T20:00:00Z') },
      // Its film has been deleted since.
      { account_id: 7, guid: 'plex://movie/gone', metadata_type: 1, title: 'Ran', viewed_at: seconds('2022-01-01T20:00:00Z') },
    ],
    metadata_item_settings: [
      { account_id: 1, guid: 'plex://movie/abc', view_count: 5, view_offset: 0, last_viewed_at: seconds('2024-01-01T20:00:00Z') },
      { account_id: 7, guid: 'com.plexapp.agents.imdb://tt0113277?lang=en', view_offset: 90_000, last_viewed_at: '2024-02-01 10:00:00' },
      { account_id: 7, guid: 'com.plexapp.agents.themoviedb://348?lang=en', view_count: 1, last_viewed_at: null },
    ],
  }
  const { users, watches, undated } = await readForeignHistory('plex', makeDatabase(t.testdir(), 'plex.db', PLEX, rows))
  t.strictSame(users, [
    { id: '7', name: 'Account 7' },
    { id: '1', name: 'ann' },
  ])
  t.equal(undated, 1, 'Alien')
  const once = { watchedMs: 0, plays: 1, positionMs: null }
  t.strictSame(watches, [
    { user: '7', imdb: null, tmdb: null, title: 'Ran', year: null, watchedAt: '2022-01-01T20:00:00.000Z', ...once },
    { user: '1', ...BRAZIL, watchedAt: '2023-01-01T20:00:00.000Z', ...once },
    { user: '1', ...BRAZIL, watchedAt: '2024-01-01T20:00:00.000Z', ...once },
    { user: '1', ...BRAZIL, watchedAt: '2024-01-01T19:59:59.999Z', ...once, plays: 5, tally: true },
    { user: '7', imdb: 'tt0113277', tmdb: null, title: 'Heat', year: 1995, watchedAt: '2024-02-01T10:00:00.000Z', ...once, plays: 0, positionMs: 90_000 },
  ]) // prettier-ignore
})

t.test("Kodi: plays and resume points, in the time of its machine's zone", async (t) => {
  const folder = t.testdir()
  const rows = {
    movie: [
      { idMovie: 1, idFile: 11, c00: 'Brazil', premiered: '1985-02-20' },
      { idMovie: 2, idFile: 12, c00: 'Heat', premiered: '1995' },
      { idMovie: 3, idFile: 13, c00: 'Unseen', premiered: '' },
    ],
    files: [
      { idFile: 11, playCount: 2, lastPlayed: '2024-05-01 20:15:00' },
      { idFile: 12, playCount: null, lastPlayed: '2024-06-01 20:15:00' },
      { idFile: 13, playCount: null, lastPlayed: null },
    ],
    bookmark: [
      { idFile: 12, timeInSeconds: 61.5, totalTimeInSeconds: 7000, type: 1 },
      { idFile: 11, timeInSeconds: 5, totalTimeInSeconds: 7000, type: 0 },
    ],
    uniqueid: [
      { media_id: 1, media_type: 'movie', value: 'tt0088846', type: 'imdb' },
      { media_id: 1, media_type: 'movie', value: '68', type: 'tmdb' },
      { media_id: 2, media_type: 'tvshow', value: '99', type: 'tmdb' },
    ],
  }
  const { users, watches } = await readForeignHistory('kodi', makeDatabase(folder, 'MyVideos131.db', OLD_KODI, rows))
  t.strictSame(users, [{ id: 'kodi', name: 'Kodi' }])
  const at = (month: number): string => new Date(2024, month - 1, 1, 20, 15).toISOString()
  t.strictSame(watches, [
    { user: 'kodi', ...BRAZIL, watchedMs: 0, watchedAt: at(5), plays: 2, tally: true, positionMs: null },
    { user: 'kodi', imdb: null, tmdb: null, title: 'Heat', year: 1995, watchedMs: 0, watchedAt: at(6), plays: 0, positionMs: 61_500 },
  ])
  const ofVersions = {
    ...rows,
    bookmark: [{ idFile: null, idVersion: 5, timeInSeconds: 61.5, totalTimeInSeconds: 7000, type: 1 }],
    videoversion: [{ idVersion: 5, idFile: 12, idMedia: 2, media_type: 'movie' }],
  }
  t.strictSame((await readForeignHistory('kodi', makeDatabase(folder, 'MyVideos140.db', KODI, ofVersions))).watches, watches)
})

t.test('Tautulli: sessions of one viewing are one, pauses do not count, and the end decides', async (t) => {
  const start = seconds('2024-05-01T20:00:00Z')
  const session = (id: number, reference: number, from: number, to: number, more: object) => ({
    id,
    reference_id: reference,
    started: start + from,
    stopped: start + to,
    user_id: 42,
    media_type: 'movie',
    ...more,
  })
  const about = (id: number, title: string, guid = 'plex://movie/abc') => ({ id, title, year: 1985, guid, duration: 7_200_000 })
  const file = makeDatabase(t.testdir(), 'tautulli.db', TAUTULLI, {
    users: [{ user_id: 42, username: 'ann@example.org', friendly_name: 'Ann' }],
    session_history: [
      session(1, 1, 0, 3600, { view_offset: 3_000_000, paused_counter: 600 }),
      session(2, 1, 4000, 8000, { view_offset: 7_000_000 }),
      session(3, 3, 9000, 9600, { view_offset: 600_000 }),
      session(4, 4, 9700, 9800, { media_type: 'episode' }),
      session(5, 5, 9900, 0 - start, {}),
    ],
    session_history_metadata: [
      about(1, 'Brazil', 'com.plexapp.agents.imdb://tt0088846?lang=en'),
      about(2, 'Brazil', 'com.plexapp.agents.imdb://tt0088846?lang=en'),
      about(3, 'Heat'),
      about(4, 'Pilot'),
      about(5, 'Still playing'),
    ],
  })
  const { users, watches } = await readForeignHistory('tautulli', file)
  t.strictSame(users, [{ id: '42', name: 'Ann' }])
  const at = (offset: number): string => new Date((start + offset) * 1000).toISOString()
  t.strictSame(watches, [
    { user: '42', ...BRAZIL, tmdb: null, watchedAt: at(8000), watchedMs: 7_000_000, plays: 1, positionMs: null },
    {
      user: '42',
      imdb: null,
      tmdb: null,
      title: 'Heat',
      year: 1985,
      watchedAt: at(9600),
      watchedMs: 600_000,
      plays: 0,
      positionMs: 600_000,
    },
  ])
})
