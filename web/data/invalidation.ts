/**
 * Keeps answers right by the server's events: marks are changed at once, without a request; other stale answers are refetched
 * if it is shown. It comes with the event stream, after the first page.
 */
import type { Query, QueryCacheNotifyEvent } from '@tanstack/preact-query'
import { isPassing, RequestFailed } from '../api/problems.ts'
import { patchRebuild, patchScanning, patchSessions } from './admin-patches.ts'
import { createGathering, type Gathered } from './gathering.ts'
import { onLive, type LiveData } from './live.ts'
import { dependsOnMarks } from './marked-lists.ts'
import { moviesIn, moveInRow, patchMovie } from './patches.ts'
import { cardsQuery, ROW_LENGTH, type Home } from './queries.ts'
import { changeKept, isOf, queryClient } from './query-client.ts'
import { changeRow, leaveContinueWatching, ownMarks, showMarks } from './shown-marks.ts'
import { CARDS, leavesRow, marksIn, staleBy, type Stale } from './stale.ts'
import { noteBuild } from './upgrade.ts'
import { isSomebodyElse, learnWho, who } from './who.ts'

/** Each query that is shown once, even if several keys name it. */
function shownBy({ keys, byMarks }: Gathered): readonly Query[] {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' })
  if (keys === '*') return shown
  return shown.filter((query) => keys.some((key) => isOf(key)(query)) || (byMarks && dependsOnMarks(query.queryKey)))
}

function shownMovies(movies: readonly string[]): readonly string[] {
  if (movies.length === 0) return []
  const shown = new Set(
    queryClient
      .getQueryCache()
      .findAll({ type: 'active' })
      .flatMap(({ state }) => moviesIn(state.data)),
  )
  return movies.filter((id) => shown.has(id))
}

const isAnchors = ({ queryKey }: Query): boolean => queryKey[0] === 'movies' && queryKey[2] === 'anchors'

function costOf(gathered: Gathered): number {
  const anchors = gathered.movies.length === 0 ? 0 : queryClient.getQueryCache().findAll({ type: 'active', predicate: isAnchors }).length
  return shownBy(gathered).length + (shownMovies(gathered.movies).length === 0 ? 0 : 1) + anchors
}

function refresh(gathered: Gathered): void {
  const { keys, byMarks, movies } = gathered
  if (keys === '*') return void queryClient.invalidateQueries()
  void queryClient.invalidateQueries({
    predicate: (query) => keys.some((key) => isOf(key)(query)) || (byMarks && dependsOnMarks(query.queryKey)),
  })
  if (movies.length > 0) void refreshMovies(movies)
}

/** Films that cards show are asked for in one request; lists that are not shown are asked for when they are. */
async function refreshMovies(movies: readonly string[]): Promise<void> {
  for (const queryKey of CARDS) void queryClient.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' })
  void queryClient.invalidateQueries({ predicate: isAnchors })
  const shown = shownMovies(movies)
  if (shown.length === 0) return
  const answer = await queryClient.fetchQuery({ ...cardsQuery(shown), staleTime: 0, gcTime: 0 }).catch(() => undefined)
  for (const card of answer?.items ?? []) {
    changeKept(
      (data) => patchMovie(data, card.id, card),
      ({ queryKey }) => queryKey[0] !== 'movie',
    )
  }
}

const gathering = createGathering({
  now: () => Date.now(),
  after: (ms, run) => void setTimeout(run, ms),
  isHidden: () => document.hidden,
  costOf,
  refresh,
  insteadOfMovies: CARDS,
})

/** Called once. */
export function followEvents(): void {
  onLive(['reset', 'access.changed', 'library.', 'scan.', 'movie.', 'resume.changed', 'watchlist.changed', 'user.'], take)
  onLive(['playback.started', 'playback.ended', 'preferences.changed', 'analytics.changed', 'projection.rebuilt'], take)
  onLive(['playback.', 'scan.', 'projection.rebuilding'], patchAdministration)
  onLive(['hello'], (_kind, { webBuild }) => {
    noteBuild(webBuild)
    askFailedAgain()
  })
  queryClient.getQueryCache().subscribe(takeMeanwhile)
  document.addEventListener('visibilitychange', () => document.hidden || gathering.wake())
}

/** What events hold themselves: positions, scans, rebuilds. */
function patchAdministration(kind: string, data: LiveData): void {
  const { scan } = data
  if (kind.startsWith('playback.')) changeKept((page) => page && patchSessions(page as Sessions, kind, data), isOf(['sessions']))
  if (kind === 'projection.rebuilding') changeKept((page) => page && patchRebuild(page as Projections, data), isOf(['projections']))
  if (!scan) return
  changeKept(() => scan, isOf(['scan', scan.libraryId]))
  if (kind !== 'scan.started') return
  for (const key of [['libraries'], ['library', scan.libraryId]]) changeKept((data) => patchScanning(data, scan.libraryId), isOf(key))
}

type Sessions = Parameters<typeof patchSessions>[0]
type Projections = Parameters<typeof patchRebuild>[0]

/** Events that came while an answer was asked for the first time: it may be older than they are. */
const cameMeanwhile = new WeakMap<Query, (readonly [kind: string, data: LiveData])[]>()

function noteMeanwhile(kind: string, data: LiveData): void {
  for (const query of queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined) continue
    const came = cameMeanwhile.get(query) ?? []
    cameMeanwhile.set(query, [...came, [kind, data]])
  }
}

/** Its events are taken again once the answer is there. */
function takeMeanwhile({ type, query }: QueryCacheNotifyEvent): void {
  const came = type === 'updated' && query.state.data !== undefined ? cameMeanwhile.get(query) : undefined
  if (!came) return
  cameMeanwhile.delete(query)
  for (const [kind, data] of came) take(kind, data)
}

function take(kind: string, data: LiveData): void {
  noteMeanwhile(kind, data)
  const { movieId } = data
  const marks = marksIn(kind, data)
  const wasFull = (queryClient.getQueryData<Home>(['home'])?.continueWatching.length ?? ROW_LENGTH) >= ROW_LENGTH
  const isHeld = movieId !== undefined && marks !== undefined && ownMarks.holds(movieId, marks)
  if (movieId !== undefined && marks && !isHeld) showMarks(movieId, marks)
  if (movieId !== undefined && !isHeld && leavesRow(kind, data)) leaveContinueWatching(movieId)
  if (kind === 'access.changed') dropAll()
  // This tab has asked for its lists again when the mark was made.
  if (kind === 'watchlist.changed' && isHeld) return
  if (kind === 'resume.changed' && movieId !== undefined && showInRow(movieId, data.position)) return
  const stale = staleBy(kind, data, data.userId !== undefined && isSomebodyElse(data.userId))
  // A row that was not full has nothing to take the place of the film that left it.
  gathering.add(leavesRow(kind, data) && !wasFull ? withoutHome(stale) : stale)
}

const withoutHome = (stale: Stale): Stale => ({ ...stale, keys: stale.keys === '*' ? '*' : stale.keys.filter(([name]) => name !== 'home') })

/** Shows the new position in the row to continue watching. False if the event does not hold all that the row then shows. */
function showInRow(movieId: string, position: number | null | undefined): boolean {
  const row = queryClient.getQueryData<Home>(['home'])?.continueWatching
  const isInRow = row?.some((entry) => entry.movieId === movieId) === true
  if (!row || typeof position !== 'number' || !isInRow) return false
  changeRow((entries) => moveInRow(entries, { movieId, position }))
  return true
}

/** The server is back: queries that failed because it was away, or because of too many requests, are refetched. */
function askFailedAgain(): void {
  const failed = ({ state: { status, error } }: Query): boolean =>
    status === 'error' && error instanceof RequestFailed && isPassing(error.problem)
  void queryClient.refetchQueries({ type: 'active', predicate: failed })
}

/** What a person may no longer see must not stay on the page during a refetch. */
function dropAll(): void {
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
  if (typeof who.value === 'object') who.value = 'somebody'
  void learnWho()
}
