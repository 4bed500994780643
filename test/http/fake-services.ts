/** Services that the HTTP tests call in place of the real ones: a small house with two users, a library, a film, a session. */
import type { Account, Caller } from '../../src/app/access/caller.ts'
import type { CountedLibrary } from '../../src/app/libraries/libraries.ts'
import type { MovieDetailsForUser } from '../../src/app/movies/movies.ts'
import type { PlayableSession } from '../../src/app/playback/playback.ts'
import type { HttpServices } from '../../src/http/server/app.ts'
import type { ListPage, PageRequest } from '../../src/app/read-models/page.ts'
import { refuse } from '../../src/domain/refusal.ts'
import { START } from '../../src/events/position.ts'
import { parseId, type Id } from '../../src/vocabulary/id.ts'
import type { EventData } from '../../src/events/catalogue.ts'
import type { MovieFacts } from '../../src/events/movie-events.ts'
import type { MediaDescription, SubtitleTrack } from '../../src/vocabulary/media-description.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createSealer } from '../../src/app/commands/sealer.ts'
import { files, type FileDocument } from '../../projections/views/files.ts'
import { libraries } from '../../projections/views/libraries.ts'
import type { MovieDocument } from '../../projections/views/movie-document.ts'
import { movies } from '../../projections/views/movies.ts'
import { playbackSessions, type SessionDocument } from '../../projections/views/playback-sessions.ts'
import { scans, type ScanDocument } from '../../projections/views/scans.ts'
import { userMovieId, userMovies, type UserMovieDocument } from '../../projections/views/user-movies.ts'
import { libraryStatsOf, scanChangeOf } from './fake-library.ts'
import { createFakeUsers } from './fake-users.ts'
import { folded, NOW } from './folded.ts'

/** An identifier that tells what it stands for. */
export function idOf<Kind extends string>(name: string): Id<Kind> {
  const id = parseId<Kind>(name.padEnd(21, '0'))
  if (!id) throw new Error(`${name} makes no identifier`)
  return id
}

export const ADMIN_TOKEN = 'a'.repeat(43)
export const ANN_TOKEN = 'b'.repeat(43)
export const STREAM_TOKEN = `${idOf('admin')}:${idOf('session')}:1767369600:${'0f'.repeat(32)}`

export const JOB_TOKEN = `${idOf('file')}:${idOf('job')}:1767369600:${'0e'.repeat(32)}`

export const admin: Caller = { userId: idOf('admin'), loginId: idOf('login'), role: 'admin', libraryAccess: 'all', libraryIds: [] }
export const ann: Caller = { ...admin, userId: idOf('ann'), loginId: idOf('annslogin'), role: 'user' }

export const account: Account = {
  ...admin,
  id: admin.userId,
  email: 'admin@localhost',
  name: 'Admin',
  enabled: true,
  maxConcurrentStreams: null,
  lastSeenAt: null,
  createdAt: NOW,
  updatedAt: NOW,
}

const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }
const ids = { libraryId: idOf<'library'>('library'), movieId: idOf<'movie'>('movie'), fileId: idOf<'file'>('file') }

export const library: CountedLibrary = {
  ...folded(libraries, ids.libraryId, [
    {
      type: 'LibraryCreated',
      data: { libraryId: ids.libraryId, name: 'Films', kind: 'movies', language: 'en', roots: ['/media/films'], settings },
    },
  ]),
  movieCount: 1,
  missingCount: 0,
}

export const scan: ScanDocument = {
  ...folded(scans, idOf('scan'), [
    {
      type: 'ScanRequested',
      data: {
        scanId: idOf('scan'),
        libraryId: ids.libraryId,
        mode: 'incremental',
        trigger: 'manual',
        startedBy: admin.userId,
        paths: null,
      },
    },
  ]),
  state: 'probing',
  done: 312,
  total: 812,
  current: 'Drama/A Film (2019).mkv',
  counts: { seen: 812, added: 4, updated: 1, moved: 0, missing: 0, restored: 0, unchanged: 795, ignored: 9, errors: 1 },
  errors: [{ file: 'Drama/broken.mkv', message: 'Probe timed out' }],
}

const subtitle = { stream: 2, path: null, codec: 'subrip', title: null, forced: false, default: false, hearingImpaired: false }
export const germanSubtitle: SubtitleTrack = { ...subtitle, language: 'de' }

export const media: MediaDescription = {
  container: 'matroska',
  durationMs: 5_400_120.4,
  startMs: 0,
  bitrateBps: 1_000_000,
  video: [
    {
      stream: 0,
      codec: 'hevc',
      profile: 'Main 10',
      level: 120,
      width: 1920,
      height: 800,
      rotation: 0,
      sampleAspect: '1:1',
      frameRate: 23.976,
      frameRateFraction: '24000/1001',
      pixelFormat: 'yuv420p10le',
      bitDepth: 10,
      interlaced: false,
      hdr: 'hdr10',
      colorTransfer: null,
      colorPrimaries: null,
      colorSpace: null,
      bitrateBps: null,
    },
  ],
  audio: [
    {
      stream: 1,
      codec: 'ac3',
      profile: null,
      channels: 6,
      channelLayout: '5.1',
      sampleRate: 48_000,
      language: 'en',
      title: 'Surround',
      default: true,
      bitrateBps: null,
    },
  ],
  subtitles: [germanSubtitle, { ...subtitle, language: 'en' }],
  chapters: [{ startMs: 1500, title: 'One' }],
}

const added: EventData['MovieFileAdded'] = {
  ...ids,
  root: '/media/films',
  path: '/media/films/A Film (2019).mkv',
  stamp: { sizeBytes: 1000, modifiedAtMs: Date.parse(NOW), inode: 7 },
  fingerprint: 'ab'.repeat(32),
}

const facts: MovieFacts = {
  title: 'A Film',
  originalTitle: null,
  sortTitle: null,
  year: 2019,
  releaseDate: '2019-05-01',
  overview: null,
  tagline: null,
  contentRating: 'PG-13',
  rating: 7.9,
  genres: ['Drama'],
  tags: [],
  countries: [],
  studios: [],
  languages: ['en'],
  collection: null,
  externalIds: { tmdb: null, imdb: 'tt1' },
  cast: [],
  crew: [],
}
const poster = { imageId: idOf<'image'>('poster'), path: '/media/films/poster.jpg' }

export const movie: MovieDocument = folded(movies, ids.movieId, [
  { type: 'MovieDiscovered', data: ids },
  { type: 'MovieIdentified', data: { movieId: ids.movieId, source: 'name', confidence: 1, facts } },
  { type: 'MovieFileAdded', data: added },
  { type: 'MovieProbed', data: { ...ids, media, sidecars: [], companions: '' } },
  { type: 'MovieArtworkChosen', data: { movieId: ids.movieId, artwork: { poster, backdrop: null, logo: null } } },
])

export const movieForUser: MovieDetailsForUser = { movie, own: null, trickplay: false }

/** Not probed yet. */
export const file: FileDocument = folded(files, ids.fileId, [{ type: 'MovieFileAdded', data: added }])

const started: EventData['PlaybackStarted'] = {
  ...ids,
  sessionId: idOf('session'),
  userId: admin.userId,
  loginId: admin.loginId,
  positionMs: 0,
  durationMs: 60_000,
  client: null,
  method: 'transcode',
  reasons: [],
  idleSeconds: 120,
}

export const session: SessionDocument = folded(playbackSessions, started.sessionId, [{ type: 'PlaybackStarted', data: started }])

/** What the admin has done with the film: left it at 16.5 seconds. */
export const watching: UserMovieDocument = folded(userMovies, userMovieId(admin.userId, ids.movieId), [
  { type: 'PlaybackHeartbeat', data: { ...started, positionMs: 16_500, playState: 'playing', rate: 1, sequence: null } },
])

export const playable: PlayableSession = {
  session,
  problem: null,
  resumePositionMs: 1830.5,
  decision: { method: 'remux', reasons: ['client-unknown'], rejected: [{ method: 'direct', reasons: ['client-unknown'] }] },
  qualities: [{ name: 'original', height: 1080, bitrateBps: 8_000_000, method: 'remux' }],
  subtitles: [{ index: 0, language: 'en', title: 'English', forced: false, default: true }],
  burnable: [{ index: 0, language: 'en', title: 'English', forced: false, default: true, kind: 'text' }],
  audio: [{ language: 'en', codec: 'aac', channels: 2 }],
  audioGainDb: null,
  hasTrickplay: false,
}

/** Pages of numbered things, as a keyset walk gives them. */
function pages<Item>(make: (id: string, n: number) => Item, count: number) {
  return async (_caller: Caller, { after, limit }: PageRequest): Promise<ListPage<Item>> => {
    const first = after ? Number(after.value) + 1 : 0
    const last = Math.min(count, first + limit)
    const items = Array.from({ length: last - first }, (_, n) => make(String(first + n), first + n))
    return { items, next: last < count ? { value: last - 1, id: idOf(`item${last - 1}`) } : null }
  }
}

const UNKNOWN = refuse('not-found', 'There is no such thing')
const known = <Value>(id: string, wanted: string, value: Value) => (id === wanted ? value : UNKNOWN)

export function createFakeServices(): HttpServices {
  const tokens = new Map([
    [ADMIN_TOKEN, admin],
    [ANN_TOKEN, ann],
  ])
  return {
    sealer: createSealer(createMemoryVault()),
    changes: { list: async () => ({ items: [], next: { at: START, libraries: [], walk: null }, upToDate: true }) },
    lastChanges: { catalogue: () => undefined },
    freshness: { reach: async () => {} },
    projections: { list: () => [{ name: 'movies', version: 3, position: START, lagMs: 12, state: 'live' }] },
    liveEvents: {
      position: () => START,
      listen: () => () => {},
      isKnown: async () => false,
      missed: async () => null,
      isFor: () => false,
      callerOf: (loginId) => [...tokens.values()].find((caller) => caller.loginId === loginId),
      feed: { load: async () => START, apply: () => {} },
      run: async () => {},
    },
    signIns: {
      signIn: async ({ email, password }) =>
        email === account.email && password === 'right'
          ? { token: ADMIN_TOKEN, account }
          : refuse('unauthenticated', 'Invalid email or password'),
      signOut: async (caller) => {
        for (const [token, { loginId }] of tokens) if (loginId === caller.loginId) tokens.delete(token)
      },
      authenticate: (token) => tokens.get(token),
      touch: async () => false,
      changePassword: async (_caller, { currentPassword }) =>
        currentPassword === 'right' ? account : refuse('invalid', 'This is not the current password', { path: 'currentPassword' }),
    },
    ...createFakeUsers(account, {
      id: admin.loginId,
      userId: admin.userId,
      createdAt: NOW,
      updatedAt: NOW,
      expiresAt: NOW,
      address: '192.0.2.7',
      client: null,
    }),
    libraries: {
      list: pages((_id, n) => ({ ...library, name: `Films ${n}` }), 3),
      get: async (_caller, id) => known(id, library.id, library),
      create: async (_caller, { name, paths }) => ({
        ...library,
        name,
        roots: paths.map((path) => ({ path, available: true, reason: null, device: null })),
      }),
      change: async (_caller, id, { name = library.name }) => known(id, library.id, { ...library, name }),
      remove: async (_caller, id) => known(id, library.id, undefined),
      restore: async (_caller, id) => known(id, library.id, library),
    },
    libraryStatistics: {
      of: async (_caller, id, past) => known(id, library.id, { ...libraryStatsOf(library.id), ...(past ? { asOfSeq: past.seq } : {}) }),
    },
    scans: {
      start: async (_caller, id) => known(id, library.id, scan),
      current: async (_caller, id) => known(id, library.id, scan),
      get: async (_caller, id, scanId) => (id === library.id ? known(scanId, scan.id, scan) : UNKNOWN),
      cancel: async (_caller, id) => known(id, library.id, { ...scan, state: 'cancelled', finishedAt: NOW }),
      list: async (_caller, id) => known(id, library.id, { items: [scan], next: null }),
      changes: async (_caller, { libraryId, scanId }) =>
        libraryId === library.id ? known(scanId, scan.id, { items: [scanChangeOf(movie.id, file.id)], next: null }) : UNKNOWN,
    },
    movies: {
      list: pages((_id, n) => ({ movie: { ...movie, card: { ...movie.card, title: `Film ${n}` } }, own: null }), 25),
      get: async (_caller, id) => known(id, movie.id, movieForUser),
      credits: async (_caller, id) => known(id, movie.id, { id: movie.id, cast: [], crew: [] }),
      files: async (_caller, id) => known(id, movie.id, [file]),
    },
    pictures: {
      get: async (id, { form }, { caller }) =>
        id === idOf('private') && !caller
          ? refuse('not-found', 'There is no such thing')
          : known(id, id === idOf('private') && caller?.role === 'admin' ? id : id === idOf('broken') ? id : idOf('poster'), {
              bytes: Buffer.from('picture'),
              type: form === 'plain' ? ('image/jpeg' as const) : form,
              tag: 'a'.repeat(22),
              isPublic: id !== idOf('private'),
              isPlaceholder: id === idOf('broken'),
            }),
    },
    movieMarks: {
      markWatched: async (_caller, id, watchedAt) => known(id, movie.id, { watched: true, watchedAt: watchedAt ?? NOW, playCount: 0 }),
      markUnwatched: async (_caller, id) => known(id, movie.id, { watched: false, watchedAt: null, playCount: 0 }),
      setResumePoint: async (_caller, id, positionMs) => known(id, movie.id, { positionMs, updatedAt: NOW }),
      clearResumePoint: async (_caller, id) => known(id, movie.id, undefined),
      resumeHistory: async (_caller, id) => known(id, movie.id, { items: [], next: null }),
      setWatchlisted: async (_caller, id, listed) => known(id, movie.id, { addedAt: listed ? NOW : null }),
    },
    movieCorrections: {
      edit: async (_caller, id) => known(id, movie.id, movieForUser),
      pinMatch: async (_caller, id) => known(id, movie.id, movieForUser),
    },
    catalogue: {
      facets: async () => ({
        genres: [{ value: 'Drama', count: 1 }],
        years: [],
        videoCodecs: [],
        audioCodecs: [],
        resolutions: [],
        languages: [],
      }),
      person: async (_caller, id) => known(id, idOf('person'), { id: idOf<'person'>('person'), name: 'Ann', image: null, movies: [] }),
      collections: async () => ({ items: [], next: null }),
      collection: async (_caller, id) => known(id, idOf('set'), { id: idOf<'collection'>('set'), name: 'Set', movies: [movieForUser] }),
    },
    past: { at: async () => refuse('unavailable', 'Another request looks into the past', { retryAfterSeconds: 5 }) },
    playback: {
      start: async (_caller, { movieId }) => known(movieId, movie.id, playable),
      heartbeat: async (_caller, id, { positionMs }) => known(id, session.id, { session: { ...session, positionMs }, problem: null }),
      seek: async (_caller, id, positionMs) => known(id, session.id, { ...playable, session: { ...session, positionMs } }),
      end: async (_caller, id) => known(id, session.id, undefined),
      terminate: async (_caller, id) => known(id, session.id, undefined),
      command: async (_caller, id, { order }) => known(id, session.id, { id: idOf<'command'>('command'), ...order }),
      masterGiven: () => {},
      get: async (caller, id) =>
        caller.userId === session.userId ? known(id, session.id, playable) : refuse('forbidden', "This is another user's session"),
      active: pages(() => ({ ...playable, user: { id: admin.userId, name: 'Admin' }, movie: movieForUser }), 1),
      continueWatching: pages(() => ({ ...movieForUser, own: watching, device: 'TV' }), 1),
      dismiss: async (_caller, id) => known(id, movie.id, undefined),
    },
    streamAccess: {
      judge: async (credential, sessionId) => {
        const user = credential === STREAM_TOKEN ? admin : tokens.get(credential ?? '')
        if (!user) return refuse('unauthenticated', 'Missing or invalid authentication')
        if (sessionId !== session.id) return UNKNOWN
        return user.userId === session.userId ? { session, file } : refuse('forbidden', 'This token does not open this session')
      },
      holds: (credential, sessionId) => sessionId === session.id && (credential === STREAM_TOKEN || tokens.has(credential)),
      issue: () => ({ token: STREAM_TOKEN, expiresAt: '2026-01-02T16:00:00.000Z' }),
    },
    agentSources: {
      judge: async (token, fileId) =>
        token === JOB_TOKEN && fileId === file.id ? file : refuse('unauthenticated', 'Missing or invalid authentication'),
      holds: () => true,
    },
    eventStreamPlaces: { take: async () => () => {} },
    liveViewsWatch: { judges: () => true, isCurrent: () => true, whenCurrent: async () => true },
    trickplay: {
      plan: async () => undefined,
      sheet: async () => undefined,
    },
    streams: {
      master: async ({ token }) => `#EXTM3U\noriginal/playlist.m3u8?token=${token}\n`,
      mediaPlaylist: async ({ token }, quality) =>
        quality.type === 'original' ? `#EXTM3U\n${`seg-0.m4s?token=${token}\n`.repeat(20)}#EXT-X-ENDLIST\n` : undefined,
      init: async () => Buffer.from('init'),
      segment: async (_ask, _quality, segment) => (segment === 0 ? Buffer.from('segment') : undefined),
      iframePlaylist: async ({ token }, quality) =>
        quality.type === 'audio' ? undefined : `#EXTM3U\niframe-0.m4s?token=${token}\n#EXT-X-ENDLIST\n`,
      iframe: async (_ask, quality, segment) => (quality.type !== 'audio' && segment === 0 ? Buffer.from('iframe') : undefined),
      subtitle: async (_ask, index) => (index === 0 ? 'WEBVTT\n' : undefined),
      subtitlePlaylist: async () => '#EXTM3U\n#EXT-X-ENDLIST\n',
      subtitlePiece: async () => 'WEBVTT\n',
    },
  }
}
