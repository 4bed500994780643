/** Random but repeatable events of a household: a few users, movies and sessions, in any order, even impossible ones. */
import type { Sealed } from '../../../src/events/sealed.ts'
import { NO_COUNTS } from '../../../projections/views/scans.ts'
import { factsOf, mediaOf, videoOf } from '../../fixtures/movie-facts.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import type { Random } from '../../fixtures/random.ts'

const HOUR_MS = 3_600_000
const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }

export function randomEvents(random: Random, count: number): readonly Happened[] {
  return Array.from({ length: count }, () => random.pick(MAKERS)(random))
}

const numbered = <Kind extends string>(random: Random, word: string, end: number) => named<Kind>(`${word}${random.below(end)}`)

const keysOf = (random: Random) => ({
  userId: numbered<'user'>(random, 'user', 3),
  movieId: numbered<'movie'>(random, 'movie', 6),
  sessionId: numbered<'session'>(random, 'session', 5),
  fileId: numbered<'file'>(random, 'file', 8),
  loginId: numbered<'login'>(random, 'login', 4),
  libraryId: numbered<'library'>(random, 'library', 2),
  scanId: numbered<'scan'>(random, 'scan', 3),
})

function placeOf(random: Random) {
  const stamp = { sizeBytes: random.below(1e9), modifiedAtMs: random.below(1e9), inode: null }
  return { path: `/films/${random.below(9)}.mkv`, root: '/films', stamp, fingerprint: String(random.below(1e9)) }
}

const MAKERS: readonly ((random: Random) => Happened)[] = [
  (random) => {
    const { movieId, libraryId } = keysOf(random)
    return { type: 'MovieDiscovered', data: { movieId, libraryId } }
  },
  (random) => {
    const { movieId, libraryId, fileId } = keysOf(random)
    return { type: 'MovieFileAdded', data: { movieId, libraryId, fileId, ...placeOf(random) } }
  },
  (random) => {
    const { movieId, fileId } = keysOf(random)
    const type = random.pick(['MovieFileMoved', 'MovieFileReplaced'] as const)
    return { type, data: { movieId, fileId, ...placeOf(random) } }
  },
  (random) => {
    const { movieId, fileId } = keysOf(random)
    return { type: random.pick(['MovieFileMissing', 'MovieFileReturned'] as const), data: { movieId, fileId } }
  },
  (random) => {
    const { movieId, fileId } = keysOf(random)
    const size = { intervalMs: 10_000, width: 320, height: 180, pictures: random.below(900) }
    return { type: 'TrickplayMade', data: { movieId, fileId, fingerprint: String(random.below(1e9)), ...size } }
  },
  (random) => {
    const { movieId, fileId } = keysOf(random)
    const media = mediaOf(random.below(HOUR_MS), { video: [videoOf(1920, random.below(1200) + 1)] })
    return { type: 'MovieProbed', data: { movieId, fileId, media, sidecars: [], companions: String(random.below(9)) } }
  },
  (random) => {
    const { movieId } = keysOf(random)
    const facts = factsOf(`The Title ${random.below(99)}`, 1900 + random.below(120), { cast: [{ name: 'Someone', character: null }] })
    return { type: 'MovieIdentified', data: { movieId, source: 'name', confidence: 0.8, facts } }
  },
  (random) => {
    const { movieId, libraryId } = keysOf(random)
    if (random.chance(0.3)) return { type: 'MovieUnmatchedOnline', data: { movieId } }
    const asked = { tmdb: String(random.below(9)), imdb: null, title: null, originalTitle: null, year: null }
    const person = { name: `Person ${random.below(5)}`, character: null, picture: `/p${random.below(5)}.jpg` }
    const said = { provider: 'tmdb', asked, confidence: 1, language: 'en', facts: factsOf('Online', 1950, { cast: [person] }) } as const
    return { type: 'MovieMatchedOnline', data: { movieId, libraryId, ...said, artwork: { poster: '/a.jpg', backdrop: null, logo: null } } }
  },
  (random) => {
    const { movieId } = keysOf(random)
    const poster = random.chance(0.5) ? { imageId: numbered<'image'>(random, 'image', 5), path: '/films/poster.jpg' } : null
    return { type: 'MovieArtworkChosen', data: { movieId, artwork: { poster, backdrop: null, logo: null } } }
  },
  (random) => {
    const { movieId } = keysOf(random)
    const poster = random.chance(0.7) ? { imageId: numbered<'image'>(random, 'image', 5), tint: `#${random.below(9)}a2b1c` } : null
    return { type: 'MovieImagesTinted', data: { movieId, poster, backdrop: null } }
  },
  (random) => {
    const { sessionId, userId, movieId, fileId, loginId, libraryId } = keysOf(random)
    const plan = { positionMs: 0, durationMs: HOUR_MS, client: null, method: 'remux', reasons: [], idleSeconds: 120 } as const
    return { type: 'PlaybackStarted', data: { sessionId, userId, movieId, fileId, loginId, libraryId, ...plan } }
  },
  (random) => {
    const { sessionId, userId, movieId, fileId } = keysOf(random)
    const told = { positionMs: random.below(HOUR_MS), durationMs: HOUR_MS, playState: 'playing', rate: 1, sequence: null } as const
    return { type: 'PlaybackHeartbeat', data: { sessionId, userId, movieId, fileId, ...told } }
  },
  (random) => {
    const { sessionId, userId, movieId, fileId } = keysOf(random)
    const end = { reason: 'client', positionMs: random.below(HOUR_MS), durationMs: HOUR_MS, told: random.chance(0.5) } as const
    return { type: 'PlaybackEnded', data: { sessionId, userId, movieId, fileId, ...end } }
  },
  (random) => {
    const { userId, movieId, sessionId } = keysOf(random)
    return random.chance(0.5)
      ? { type: 'MovieCompleted', data: { userId, movieId, sessionId, completedAt: iso(NOON) } }
      : { type: random.pick(['MovieMarkedUnwatched', 'ResumePointDismissed'] as const), data: { userId, movieId } }
  },
  (random) => {
    const { loginId, userId } = keysOf(random)
    const signedIn = { loginId, userId, tokenHash: String(random.below(1e9)), expiresAt: iso(NOON), rememberMe: true }
    return random.chance(0.5) ? { type: 'SignedIn', data: signedIn } : { type: 'SignedOut', data: { loginId, userId } }
  },
  (random) => {
    const { userId } = keysOf(random)
    const account = { role: 'user', libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null, passwordVersion: 1 } as const
    return { type: 'UserRegistered', data: { userId, email: 'sealed:u:AA' as Sealed, name: 'sealed:u:BB' as Sealed, ...account } }
  },
  (random) => {
    const { libraryId } = keysOf(random)
    return { type: 'LibraryCreated', data: { libraryId, name: 'Films', kind: 'movies', language: 'en', roots: ['/films'], settings } }
  },
  (random) => {
    const { scanId, libraryId } = keysOf(random)
    return random.chance(0.5)
      ? { type: 'ScanRequested', data: { scanId, libraryId, mode: 'full', trigger: 'start', startedBy: null, paths: null } }
      : { type: 'ScanCompleted', data: { scanId, libraryId, counts: NO_COUNTS, errors: [] } }
  },
]
