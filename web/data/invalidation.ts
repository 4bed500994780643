/**
 * What an event of the server means for the answers that are kept: marks are changed at once, without a request; what else has become
 * old is asked for again if it is shown, gathered over two seconds and at most twenty times a minute. Hidden tabs ask when they are
 * seen again.
 */
import { onLive, type LiveData } from './live.ts'
import { queryClient } from './query-client.ts'
import { patchMovie, withoutMovie, type Marks } from './patches.ts'
import { learnWho, who } from './who.ts'
import type { Home } from './queries.ts'

/** Keys of the cache by the first word; `*`: everything. */
export type Stale = readonly (readonly string[])[] | '*'

/** What an event makes old. Pure. */
export function staleBy(kind: string, { movieId = '' }: LiveData): Stale {
  if (kind === 'reset' || kind === 'access.changed') return '*'
  if (kind.startsWith('library.')) return [['libraries'], ['home'], ['facets'], ['films'], ['collections']]
  if (kind === 'scan.completed') return [['libraries'], ['facets']]
  if (kind === 'movie.watched' || kind === 'movie.unwatched') return [['history']]
  if (kind.startsWith('movie.'))
    return [['home'], ['films'], ['movie', movieId], ['credits', movieId], ['file-stats', movieId], ['collections']]
  if (kind === 'resume.changed') return [['home']]
  if (kind === 'trickplay.ready') return [['movie', movieId]]
  if (kind === 'playback.ended') return [['home'], ['history']]
  if (kind === 'preferences.changed') return [['preferences']]
  return []
}

/** The marks that an event carries; undefined if it carries none. Pure. */
export function marksIn(kind: string, { watchedAt = null, position = 0 }: LiveData): Marks | undefined {
  if (kind === 'movie.watched') return { watched: true, watchedAt, position: 0 }
  if (kind === 'movie.unwatched') return { watched: false, watchedAt: null }
  return kind === 'resume.changed' && position !== null ? { position } : undefined
}

/** Changes the marks of a movie in every answer that is kept. */
export function showMarks(movieId: string, marks: Marks): void {
  queryClient.setQueriesData({ predicate: () => true }, (data: unknown) => patchMovie(data, movieId, marks))
}

/** Takes a movie out of the row to continue watching. */
export function leaveContinueWatching(movieId: string): void {
  queryClient.setQueryData<Home>(
    ['home'],
    (home) => home && { ...home, continueWatching: [...withoutMovie(home.continueWatching, movieId)] },
  )
}

const GATHER_MS = 2000
const MINUTE_MS = 60_000
const MOST_A_MINUTE = 20

interface Gathering {
  readonly keys: Map<string, readonly string[]>
  all: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  readonly times: number[]
}

const gathering: Gathering = { keys: new Map(), all: false, timer: undefined, times: [] }

function gather(stale: Stale): void {
  if (stale === '*') gathering.all = true
  else for (const key of stale) gathering.keys.set(key.join(' '), key)
  if (gathering.all || gathering.keys.size > 0) gathering.timer ??= setTimeout(refresh, GATHER_MS)
}

function refresh(): void {
  gathering.timer = undefined
  if (document.hidden) return
  const now = Date.now()
  gathering.times.splice(0, gathering.times.length, ...gathering.times.filter((time) => now - time < MINUTE_MS))
  if (gathering.times.length >= MOST_A_MINUTE) {
    gathering.timer = setTimeout(refresh, GATHER_MS)
    return
  }
  gathering.times.push(now)
  const keys = [...gathering.keys.values()]
  const { all } = gathering
  gathering.keys.clear()
  gathering.all = false
  if (all) void queryClient.invalidateQueries()
  else for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
}

/** Called once. */
export function followEvents(): void {
  onLive(
    [
      'reset',
      'access.changed',
      'library.',
      'scan.completed',
      'movie.',
      'resume.changed',
      'trickplay.ready',
      'playback.ended',
      'preferences.changed',
    ],
    (kind, data) => {
      const marks = marksIn(kind, data)
      if (data.movieId !== undefined && marks) showMarks(data.movieId, marks)
      if (kind === 'movie.watched' && data.movieId !== undefined) leaveContinueWatching(data.movieId)
      if (kind === 'resume.changed' && data.movieId !== undefined && data.position === null) leaveContinueWatching(data.movieId)
      if (kind === 'access.changed') dropAll()
      gather(staleBy(kind, data))
    },
  )
  document.addEventListener('visibilitychange', () => !document.hidden && gather([]))
}

/** What a person may no longer see must not stay on the page while it is asked for again. */
function dropAll(): void {
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
  if (typeof who.value === 'object') who.value = 'somebody'
  void learnWho()
}
