/** Generates films: the events of scans of this many films, and one user's actions on some of them. */
import { encode, type Origin } from '../../src/events/codec.ts'
import type { DomainEvent } from '../../src/events/catalogue.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import type { FileId, LibraryId, MovieId, UserId } from '../../src/vocabulary/id.ts'
import type { FileStamp } from '../../src/vocabulary/media-description.ts'
import { movieStream, watchedStream } from '../../src/events/streams.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { Ids } from '../../src/ports/ids.ts'
import { audioOf, factsOf, mediaOf, subtitlesOf, videoOf } from '../fixtures/movie-facts.ts'

const GENRES = [
  'Drama',
  'Comedy',
  'Western',
  'Horror',
  'Thriller',
  'Romance',
  'Crime',
  'War',
  'Animation',
  'Documentary',
  'Fantasy',
  'Noir',
]
const WORDS = ['night', 'river', 'stone', 'last', 'city', 'love', 'road', 'shadow', 'summer', 'king', 'glass', 'winter', 'house', 'train']
const HEIGHTS = [480, 720, 1080, 1080, 1080, 2160]
const LANGUAGES = ['en', 'en', 'en', 'de', 'fr', 'ja', 'es', 'it']
const RATINGS = ['G', 'PG', 'PG-13', 'R']
const OVERVIEW = 'Two strangers who have lost everything meet on the last train out of the city, and neither is who they say. '

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item
/** A pseudo-random number, the same for the same film. */
const drawn = (n: number, salt: number): number => (Math.imul(n + 1, 2654435761) ^ Math.imul(salt + 7, 40503)) >>> 8

function titleOf(n: number): string {
  const words = [drawn(n, 1), drawn(n, 2), drawn(n, 3)].map((draw) => pick(WORDS, draw))
  return `${n % 5 === 0 ? 'The ' : ''}${words.join(' ').replace(/^./, (letter) => letter.toUpperCase())} ${n}`
}

function factsFor(n: number) {
  const year = 1920 + (drawn(n, 4) % 107)
  const people = [5, 6, 7, 8, 9, 10].map((salt) => `Person ${drawn(n, salt) % 20_000}`)
  const [director = '', ...actors] = people
  return factsOf(titleOf(n), year, {
    overview: OVERVIEW.repeat(1 + (n % 3)),
    releaseDate: n % 10 === 0 ? null : `${year}-0${1 + (n % 9)}-1${n % 10}`,
    rating: n % 7 === 0 ? null : (drawn(n, 11) % 100) / 10,
    contentRating: pick(RATINGS, drawn(n, 12)),
    genres: [pick(GENRES, drawn(n, 13)), pick(GENRES, drawn(n, 13) + 1 + (drawn(n, 14) % 5))],
    studios: [`Studio ${drawn(n, 15) % 400}`],
    tags: [`tag ${drawn(n, 16) % 1000}`],
    languages: [pick(LANGUAGES, drawn(n, 17))],
    collection: n % 40 === 0 ? `Collection ${n % 2000}` : null,
    externalIds: { tmdb: String(n + 1), imdb: null },
    cast: actors.map((name) => ({ name, character: 'Somebody' })),
    crew: [{ name: director, job: 'Director', department: 'Directing' }],
  })
}

export interface Movie {
  readonly movieId: MovieId
  readonly fileId: FileId
}

/** A file on disk, as a scan would have found it. */
export interface StreamedFile {
  readonly path: string
  readonly root: string
  readonly stamp: FileStamp
  readonly companions: string
}

function madeUpFile(n: number): StreamedFile {
  const stamp = { sizeBytes: 1_000_000_000 + drawn(n, 20) * 100, modifiedAtMs: 1_700_000_000_000 + n, inode: n }
  return { path: `/media/films/${titleOf(n)}/${titleOf(n)}.mkv`, root: '/media/films', stamp, companions: 'none' }
}

interface Described extends Movie {
  readonly libraryId: LibraryId
  readonly hasVideo: boolean
}

function eventsOf(n: number, { movieId, fileId, libraryId, hasVideo }: Described, file: StreamedFile): readonly DomainEvent[] {
  const height = pick(HEIGHTS, drawn(n, 18))
  const language = pick(LANGUAGES, drawn(n, 19))
  const { companions, ...found } = file
  const media = mediaOf(3_600_000 + (drawn(n, 21) % 5_400_000), {
    video: [
      { ...videoOf(Math.round((height * 16) / 9), height), codec: n % 3 === 0 ? 'hevc' : 'h264', hdr: n % 50 === 0 ? 'hdr10' : null },
    ].filter(() => hasVideo),
    audio: [audioOf(language)],
    subtitles: [subtitlesOf('en')],
  })
  return [
    { type: 'MovieDiscovered', data: { movieId, libraryId } },
    {
      type: 'MovieFileAdded',
      data: { movieId, libraryId, fileId, ...found, fingerprint: String(n).padStart(64, '0') },
    },
    { type: 'MovieProbed', data: { movieId, fileId, media, sidecars: [], companions } },
    { type: 'MovieIdentified', data: { movieId, source: 'nfo', confidence: 1, facts: factsFor(n) } },
  ]
}

const IN_FLIGHT = 512

interface MoviesOptions {
  readonly count: number
  readonly libraryIds: readonly LibraryId[]
  /** Their files; default: invented. */
  readonly fileOf?: (n: number) => StreamedFile | undefined
  /** False: the engine has nothing to stream, so playing them starts no ffmpeg. Default: true. */
  readonly hasVideo?: boolean
  /** The file of their poster; default: none. */
  readonly posterOf?: (n: number) => string | undefined
}

/** Appends `count` films, and returns their ids. */
export async function appendMovies(
  log: EventLog,
  ids: Ids,
  { count, libraryIds, fileOf = madeUpFile, hasVideo = true, posterOf }: MoviesOptions,
) {
  const films = Array.from({ length: count }, (): Movie => ({ movieId: ids.next(), fileId: ids.next() }))
  await inFlight(count, async (n) => {
    const film = pick(films, n)
    const libraryId = pick(libraryIds, n % 10 === 0 ? 1 : 0)
    const path = posterOf?.(n)
    const artwork = { poster: path === undefined ? null : { imageId: ids.next<'image'>(), path }, backdrop: null, logo: null }
    await append(log, ids, movieStream(film.movieId), [
      ...eventsOf(n, { ...film, libraryId, hasVideo }, fileOf(n) ?? madeUpFile(n)),
      ...(path === undefined ? [] : [{ type: 'MovieArtworkChosen', data: { movieId: film.movieId, artwork } } as const]),
    ])
  })
  return films
}

/** Marks of one user: this many watched, half as many played, some on the watchlist and some to continue. */
export async function appendMarks(log: EventLog, ids: Ids, { userId, films }: { userId: UserId; films: readonly Movie[] }): Promise<void> {
  await inFlight(films.length, async (n) => {
    const { movieId, fileId } = pick(films, n)
    const mark = { userId, movieId }
    const events: readonly DomainEvent[] = [
      ...(n % 4 < 2 ? [{ type: 'MovieMarkedWatched', data: { ...mark, watchedAt: '2026-01-01T00:00:00.000Z' } } as const] : []),
      ...(n % 4 === 1
        ? [
            {
              type: 'MovieCompleted',
              data: { ...mark, sessionId: ids.next<'session'>(), completedAt: '2026-01-01T00:00:00.000Z' },
            } as const,
          ]
        : []),
      ...(n % 4 === 2
        ? [{ type: 'ResumePointSet', data: { ...mark, fileId, positionMs: 1_000_000, durationMs: 4_000_000 } } as const]
        : []),
      ...(n % 4 === 3 ? [{ type: 'MovieWatchlisted', data: mark } as const] : []),
    ]
    await append(log, ids, watchedStream(userId, movieId), events)
  })
}

async function append(log: EventLog, ids: Ids, stream: string, events: readonly DomainEvent[]): Promise<void> {
  const origin: Origin = { at: new Date().toISOString(), actor: 'system', command: 'bench', correlation: 'bench', node: 'bench' }
  const encoded: EncodedEvent[] = []
  for (const [revision, event] of events.entries()) {
    encoded.push(encode(ids.event(), event, origin, { stream, revision, prev: encoded.at(-1)?.metadata.hash ?? '' }))
  }
  await log.append(stream, 'absent', encoded)
}

async function inFlight(count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await run(n)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}
