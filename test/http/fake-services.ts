/** Services that the HTTP tests call in place of the real ones: a small house with two users, a library, a film, a session. */
import type { Account, Caller } from '../../src/app/caller.ts'
import type { CountedLibrary } from '../../src/app/libraries.ts'
import type { MovieForUser } from '../../src/app/movies.ts'
import type { PlayableSession } from '../../src/app/playback.ts'
import type { HttpServices } from '../../src/http/app.ts'
import type { ListPage, PageRequest } from '../../src/app/page.ts'
import { refuse } from '../../src/domain/refusal.ts'
import { parseId, type Id } from '../../src/events/id.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { MovieDocument } from '../../projections/movies.ts'
import type { SessionDocument } from '../../projections/playback-sessions.ts'
import type { ScanDocument } from '../../projections/scans.ts'

/** An identifier that tells what it stands for. */
export function idOf<Kind extends string>(name: string): Id<Kind> {
  const id = parseId<Kind>(name.padEnd(21, '0'))
  if (!id) throw new Error(`${name} makes no identifier`)
  return id
}

export const NOW = '2026-01-02T12:00:00.000Z'
export const ADMIN_TOKEN = 'a'.repeat(43)
export const ANN_TOKEN = 'b'.repeat(43)
export const STREAM_TOKEN = `${idOf('admin')}:${idOf('session')}:1767369600:${'0f'.repeat(32)}`

export const admin: Caller = { userId: idOf('admin'), loginId: idOf('login'), role: 'admin', libraryAccess: 'all', libraryIds: [] }
export const ann: Caller = { ...admin, userId: idOf('ann'), loginId: idOf('annslogin'), role: 'user' }

export const account: Account = {
  ...admin,
  id: admin.userId,
  email: 'admin@localhost',
  name: 'Admin',
  enabled: true,
  maxConcurrentStreams: null,
  createdAt: NOW,
  updatedAt: NOW,
}

export const library: CountedLibrary = {
  id: idOf('library'),
  name: 'Films',
  nameKey: 'films',
  kind: 'movies',
  language: 'en',
  roots: [{ path: '/media/films', available: true, reason: null }],
  settings: { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true },
  scanning: false,
  lastScan: null,
  movieCount: 1,
  missingCount: 0,
  createdAt: NOW,
  updatedAt: NOW,
}

export const scan: ScanDocument = {
  id: idOf('scan'),
  libraryId: library.id,
  mode: 'incremental',
  trigger: 'manual',
  startedBy: admin.userId,
  state: 'probing',
  startedAt: NOW,
  finishedAt: null,
  done: 312,
  total: 812,
  current: 'Drama/A Film (2019).mkv',
  counts: { seen: 812, added: 4, updated: 1, moved: 0, missing: 0, restored: 0, unchanged: 795, ignored: 9, errors: 1 },
  errors: [{ file: 'Drama/broken.mkv', message: 'Probe timed out' }],
  error: null,
}

export const movie: MovieDocument = {
  id: idOf('movie'),
  libraryId: library.id,
  details: {
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
  },
  match: { source: 'name', confidence: 1, pinned: false },
  artwork: { poster: { imageId: idOf('poster'), path: '/media/films/poster.jpg' }, backdrop: null, logo: null },
  files: [
    {
      id: idOf('file'),
      path: '/media/films/A Film (2019).mkv',
      sizeBytes: 1000,
      available: true,
      container: 'matroska',
      durationMs: 5_400_120.4,
      resolution: '1080p',
      hdr: null,
      audioLanguages: ['en'],
      subtitleLanguages: ['de', 'en'],
    },
  ],
  addedAt: NOW,
  updatedAt: NOW,
  sortTitle: 'film',
  words: ['film'],
  available: true,
}

export const movieForUser: MovieForUser = { movie, own: null }

export const file: FileDocument = {
  id: idOf('file'),
  movieId: movie.id,
  libraryId: library.id,
  root: '/media/films',
  path: '/media/films/A Film (2019).mkv',
  stamp: { sizeBytes: 1000, modifiedAtMs: Date.parse(NOW), inode: 7 },
  fingerprint: 'ab'.repeat(32),
  missing: false,
  media: null,
  sidecars: [],
  companions: '',
  addedAt: NOW,
}

export const session: SessionDocument = {
  id: idOf('session'),
  userId: admin.userId,
  loginId: admin.loginId,
  movieId: movie.id,
  libraryId: library.id,
  fileId: file.id,
  client: null,
  method: 'transcode',
  playState: 'paused',
  positionMs: 0,
  durationMs: 60_000,
  createdAt: NOW,
  beatAt: NOW,
  idleSeconds: 120,
}

export const playable: PlayableSession = {
  session,
  resumePositionMs: 1830.5,
  qualities: [{ name: 'original', height: 1080, bitrateBps: 8_000_000, method: 'remux' }],
  subtitles: [{ index: 0, language: 'en', title: 'English', forced: false, default: true }],
  audio: [{ language: 'en', codec: 'aac', channels: 2 }],
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
    },
    libraries: {
      list: pages((_id, n) => ({ ...library, name: `Films ${n}` }), 3),
      get: async (_caller, id) => known(id, library.id, library),
      create: async (_caller, { name, paths }) => ({
        ...library,
        name,
        roots: paths.map((path) => ({ path, available: true, reason: null })),
      }),
    },
    scans: {
      start: async (_caller, id) => known(id, library.id, scan),
      current: async (_caller, id) => known(id, library.id, scan),
      get: async (_caller, id, scanId) => (id === library.id ? known(scanId, scan.id, scan) : UNKNOWN),
    },
    movies: {
      list: pages((_id, n) => ({ movie: { ...movie, details: { ...movie.details, title: `Film ${n}` } }, own: null }), 25),
      get: async (_caller, id) => known(id, movie.id, movieForUser),
      credits: async (_caller, id) => known(id, movie.id, { id: movie.id, cast: [], crew: [] }),
      files: async (_caller, id) => known(id, movie.id, [file]),
      markWatched: async (_caller, id, watchedAt) => known(id, movie.id, { watched: true, watchedAt: watchedAt ?? NOW, playCount: 0 }),
      markUnwatched: async (_caller, id) => known(id, movie.id, { watched: false, watchedAt: null, playCount: 0 }),
      image: async (id) => known(id, idOf('poster'), { bytes: Buffer.from('picture'), type: 'image/jpeg' as const }),
    },
    playback: {
      start: async (_caller, { movieId }) => known(movieId, movie.id, playable),
      heartbeat: async (_caller, id, { positionMs }) => known(id, session.id, { ...session, positionMs }),
      seek: async (_caller, id, positionMs) => known(id, session.id, { ...playable, session: { ...session, positionMs } }),
      end: async (_caller, id) => known(id, session.id, undefined),
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
      issue: () => ({ token: STREAM_TOKEN, expiresAt: '2026-01-02T16:00:00.000Z' }),
    },
    streams: {
      master: async ({ token }) => `#EXTM3U\noriginal/playlist.m3u8?token=${token}\n`,
      mediaPlaylist: async ({ token }, quality) =>
        quality.type === 'original' ? `#EXTM3U\n${`seg-0.m4s?token=${token}\n`.repeat(20)}#EXT-X-ENDLIST\n` : undefined,
      init: async () => Buffer.from('init'),
      segment: async (_ask, _quality, segment) => (segment === 0 ? Buffer.from('segment') : undefined),
      subtitle: async (_ask, index) => (index === 0 ? 'WEBVTT\n' : undefined),
      subtitlePlaylist: async () => '#EXTM3U\n#EXT-X-ENDLIST\n',
      subtitlePiece: async () => 'WEBVTT\n',
    },
  }
}

const watching = {
  id: `${admin.userId}_${movie.id}`,
  userId: admin.userId,
  movieId: movie.id,
  watched: false,
  watchedAt: null,
  playCount: 0,
  lastPlayedAt: NOW,
  resume: { fileId: file.id, positionMs: 16_500, durationMs: 60_000, at: NOW },
  continueKey: `${admin.userId} ${NOW}`,
  client: null,
  clientSessionId: null,
}
