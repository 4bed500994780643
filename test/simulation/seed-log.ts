/** Writes the initial log of every simulation: users, their logins, libraries and films. */
import { hashToken } from '../../src/app/access/access.ts'
import type { DomainEvent } from '../../src/events/catalogue.ts'
import { encode } from '../../src/events/codec.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import type { LibraryId, LoginId, MovieId, UserId } from '../../src/vocabulary/id.ts'
import { seal } from '../../src/events/sealed.ts'
import { libraryStream, loginStream, movieStream, userStream } from '../../src/events/streams.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/libraries/library.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { audioOf, factsOf, mediaOf, videoOf } from '../fixtures/movie-facts.ts'
import { named } from '../fixtures/names.ts'
import { START_MS } from './host.ts'
import { VAULT_KEY } from './ports.ts'

export interface Login {
  readonly loginId: LoginId
  readonly userId: UserId
  readonly token: string
}

export interface Movie {
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly path: string
}

export const MOVIE_MS = 600_000

export const LIBRARIES: readonly LibraryId[] = [named('library-one'), named('library-two')]

const movie = (word: string, libraryId: LibraryId): Movie => ({ movieId: named(word), libraryId, path: `/films/${word}.mkv` })
export const MOVIES: readonly Movie[] = LIBRARIES.flatMap((id, n) => [movie(`movie${n}a`, id), movie(`movie${n}b`, id)])

/** Stream limit of each user; null: unlimited. */
const PEOPLE = { root: null, ann: null, ben: 2, cat: 1 } as const
export type Person = keyof typeof PEOPLE

const userOf = (person: Person): UserId => named(person)

const loginsOf = (person: Person): readonly Login[] =>
  [1, 2].map((n) => ({ loginId: named(`login-${person}-${n}`), userId: userOf(person), token: `token-${person}-${n}` }))

export const LOGINS: Readonly<Record<Person, readonly Login[]>> = {
  root: loginsOf('root'),
  ann: loginsOf('ann'),
  ben: loginsOf('ben'),
  cat: loginsOf('cat'),
}

export const limitOf = (userId: string): number | null => Object.entries(PEOPLE).find(([person]) => userId.startsWith(person))?.[1] ?? null

type Stream = readonly [stream: string, events: readonly DomainEvent[]]

const accountOf = (person: Person): Stream => {
  const userId = userOf(person)
  const text = seal(userId, VAULT_KEY, `${person}@example.org`)
  const rights = { role: person === 'root' ? 'admin' : 'user', libraryAccess: 'all', libraryIds: [], passwordVersion: 1 } as const
  return [
    userStream(userId),
    [{ type: 'UserRegistered', data: { userId, email: text, name: text, ...rights, maxConcurrentStreams: PEOPLE[person] } }],
  ]
}

const signedIn = ({ loginId, userId, token }: Login): Stream => {
  const expiresAt = new Date(START_MS + 86_400_000).toISOString()
  return [loginStream(loginId), [{ type: 'SignedIn', data: { loginId, userId, tokenHash: hashToken(token), expiresAt, rememberMe: true } }]]
}

const libraryOf = (libraryId: LibraryId): Stream => {
  const data = { libraryId, name: libraryId, kind: 'movies', language: 'en', roots: ['/films'], settings: DEFAULT_SETTINGS } as const
  return [libraryStream(libraryId), [{ type: 'LibraryCreated', data }]]
}

const movieOf = ({ movieId, libraryId, path }: Movie): Stream => {
  const fileId = named<'file'>(`file-${movieId.slice(0, 7)}`)
  const stamp = { sizeBytes: 1000, modifiedAtMs: 0, inode: null }
  const media = mediaOf(MOVIE_MS, { video: [videoOf(1920, 1080)], audio: [audioOf('en')] })
  return [
    movieStream(movieId),
    [
      { type: 'MovieDiscovered', data: { movieId, libraryId } },
      { type: 'MovieIdentified', data: { movieId, source: 'name', confidence: 1, facts: factsOf(movieId, 1927) } },
      { type: 'MovieFileAdded', data: { movieId, libraryId, fileId, path, root: '/films', stamp, fingerprint: movieId } },
      { type: 'MovieProbed', data: { movieId, fileId, media, sidecars: [], companions: '' } },
    ],
  ]
}

interface Written {
  readonly stream: string
  readonly events: readonly EncodedEvent[]
}

/** Generated once for all simulations. */
function write(): readonly Written[] {
  const people: readonly Person[] = ['root', 'ann', 'ben', 'cat']
  const streams = [
    ...people.map(accountOf),
    ...people.flatMap((person) => LOGINS[person].map(signedIn)),
    ...LIBRARIES.map(libraryOf),
    ...MOVIES.map(movieOf),
  ]
  const origin = { at: new Date(START_MS - 3_600_000).toISOString(), actor: 'system', command: 'prelude', correlation: '', node: 'prelude' }
  let count = 0
  return streams.map(([stream, list]) => {
    let prev = ''
    const events = list.map((event, revision) => {
      const encoded = encode(`00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`, event, origin, { stream, revision, prev })
      prev = encoded.metadata.hash
      return encoded
    })
    return { stream, events }
  })
}

const PRELUDE = write()

export async function playSeedLog(log: EventLog): Promise<void> {
  for (const { stream, events } of PRELUDE) await log.append(stream, 'absent', events)
}
