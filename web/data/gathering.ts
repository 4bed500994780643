/**
 * Collects stale queries and refetches them together: the first time almost at once, then at most every two seconds, and with at
 * most twenty requests a minute. While the page is hidden nothing is asked for.
 */
import type { Keys, Stale } from './stale.ts'

/** One command is often several events. */
export const FIRST_MS = 100
export const GATHER_MS = 2000
const MINUTE_MS = 60_000
/** Of the hundred requests a minute that a person has on all devices. */
export const MOST_A_MINUTE = 20
/** Films that one request can name. */
const MOST_MOVIES = 100

export interface Gathered {
  readonly keys: Keys | '*'
  readonly byMarks: boolean
  readonly movies: readonly string[]
}

export interface GatheringOptions {
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => void
  readonly isHidden: () => boolean
  /** How many requests `refresh` would make. */
  readonly costOf: (gathered: Gathered) => number
  readonly refresh: (gathered: Gathered) => void
  /** In place of more films than one request can name. */
  readonly insteadOfMovies: Keys
}

export interface Gathering {
  add(stale: Stale): void
  /** The page is visible again: deferred refetches run. */
  wake(): void
}

interface State {
  readonly keys: Map<string, readonly string[]>
  readonly movies: Set<string>
  isAll: boolean
  byMarks: boolean
  isWaiting: boolean
  /** When each request of the last minute was made. */
  times: number[]
  /** When the last ones were made, or put off. */
  last: number
}

const isEmpty = ({ keys, movies, isAll, byMarks }: State): boolean => !isAll && !byMarks && keys.size === 0 && movies.size === 0

export function createGathering(options: GatheringOptions): Gathering {
  const { now, after, isHidden, costOf, refresh } = options
  const state: State = { keys: new Map(), movies: new Set(), isAll: false, byMarks: false, isWaiting: false, times: [], last: -GATHER_MS }

  function wait(): void {
    if (state.isWaiting || isEmpty(state)) return
    state.isWaiting = true
    after(Math.max(FIRST_MS, state.last + GATHER_MS - now()), () => {
      state.isWaiting = false
      run()
    })
  }

  function run(): void {
    if (isHidden()) return
    const gathered = take(state, options.insteadOfMovies)
    const cost = costOf(gathered)
    if (cost > 0) state.last = now()
    state.times = state.times.filter((time) => now() - time < MINUTE_MS)
    // What alone costs more than a minute has is asked for once nothing else was.
    if (state.times.length > 0 && state.times.length + cost > MOST_A_MINUTE) return wait()
    for (let request = 0; request < cost; request++) state.times.push(now())
    empty(state)
    refresh(gathered)
  }

  return {
    add({ keys, byMarks = false, movie }) {
      if (keys === '*') state.isAll = true
      else for (const key of keys) state.keys.set(key.join(' '), key)
      if (movie !== undefined && state.movies.size <= MOST_MOVIES) state.movies.add(movie)
      state.byMarks ||= byMarks
      wait()
    },
    wake: wait,
  }
}

function take({ keys, movies, isAll, byMarks }: State, insteadOfMovies: Keys): Gathered {
  if (isAll) return { keys: '*', byMarks: false, movies: [] }
  const isTooMany = movies.size > MOST_MOVIES
  return { keys: [...keys.values(), ...(isTooMany ? insteadOfMovies : [])], byMarks, movies: isTooMany ? [] : [...movies] }
}

function empty(state: State): void {
  state.keys.clear()
  state.movies.clear()
  state.isAll = false
  state.byMarks = false
}
