/**
 * Fetches metadata from an online provider: for every movie without it, one at a time, and for each movie that is added or identified as
 * another film. It stores no state of its own: movies that failed or that the provider does not know are found again in a later round, or
 * after the next start.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { Clock } from '../../ports/clock.ts'
import { AppendRefused, type EventLog } from '../../ports/event-log.ts'
import { OnlineAway, OnlineRefused } from '../../ports/online-metadata.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { OnlineMatcher } from './online-matching.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'
import type { Report } from '../../ports/report.ts'

export interface OnlineJobDependencies {
  readonly clock: Clock
  readonly readModels: Pick<ReadModels, 'movieKeys'>
  readonly finder: Pick<OnlineMatcher, 'find' | 'languageOf'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly onError: Report
}

/** Interval between rounds over all movies: the provider may know more by then. */
const ROUND_MS = 30 * 24 * 3_600_000
/** The same if the provider was unavailable for some movies. Grows from round to round, since a round covers all movies for those few. */
const LEFT_MS = { least: 10 * 60_000, most: 3_600_000 }
/** Attempts per movie, so that the others get their turn if the provider fails on one. */
const TRIES = 3
/** Backoff while the provider is unavailable, until it answers. */
const PAUSE_MS = { least: 5_000, most: 5 * 60_000 }

/** Creates the task: it runs until its signal, and may be restarted. A rejected API key ends all requests, and is reported once. */
export function createOnlineJob(deps: OnlineJobDependencies): (signal: AbortSignal) => Promise<void> {
  let isRefused = false
  const ended = (signal: AbortSignal): Promise<void> =>
    signal.aborted ? Promise.resolve() : new Promise((end) => signal.addEventListener('abort', () => end(), { once: true }))
  return async (signal) => {
    if (isRefused) return ended(signal)
    try {
      await keep(deps, signal)
    } catch (cause) {
      if (!(cause instanceof OnlineRefused)) throw cause
      isRefused = true
      deps.onError(new Error(`${cause.message}. Until the next start films are shown as their files describe them`))
    }
    await ended(signal)
  }
}

async function keep(deps: OnlineJobDependencies, signal: AbortSignal): Promise<void> {
  const asker = createAsker(deps)
  for (let leftMs = LEFT_MS.least; !signal.aborted;) {
    const isLeft = await round(deps, asker, { signal, leftMs })
    leftMs = isLeft ? Math.min(LEFT_MS.most, leftMs * 2) : LEFT_MS.least
    if (!isLeft) asker.allAsked()
  }
}

interface Round {
  readonly signal: AbortSignal
  /** Time until the next round if movies are left over. */
  readonly leftMs: number
}

/** Goes through all movies, then follows the log until the next round is due. Returns whether movies are left over. */
async function round(deps: OnlineJobDependencies, asker: Asker, { signal, leftMs }: Round): Promise<boolean> {
  const from = await deps.log.head()
  await waitForViews(deps.readYourWrites, from, signal)
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const end = (): void => over.abort()
  const alarm = createAlarm(deps.clock, leftMs, end)
  const ask = async (movieId: MovieId): Promise<void> => {
    if (!(await asker.ask(movieId, until))) alarm.left()
  }
  const tasks = [lookThrough(deps, ask, until).then(() => alarm.through()), followLog(deps, ask, { from, until, end })]
  try {
    await Promise.all(tasks)
  } catch (cause) {
    if (cause !== over.signal.reason) throw cause
  } finally {
    end()
    await Promise.allSettled(tasks)
    alarm.disarm()
  }
  return alarm.isLeft()
}

/** Rings some time after all movies were processed, sooner if some are left over. */
function createAlarm(clock: Clock, leftMs: number, ring: () => void) {
  let [isLeft, isThrough] = [false, false]
  let disarm = (): void => {}
  function arm(): void {
    disarm()
    disarm = clock.after(isLeft ? leftMs : ROUND_MS, ring)
  }
  return {
    isLeft: () => isLeft,
    left(): void {
      if (isLeft) return
      isLeft = true
      if (isThrough) arm()
    },
    through(): void {
      isThrough = true
      arm()
    },
    disarm: () => disarm(),
  }
}

type Ask = (movieId: MovieId) => Promise<void>

async function lookThrough({ readModels, finder }: OnlineJobDependencies, ask: Ask, until: AbortSignal): Promise<void> {
  for await (const { id, libraryId, onlineLanguage } of readModels.movieKeys.walk({})) {
    until.throwIfAborted()
    const language = finder.languageOf(libraryId)
    if (language !== undefined && onlineLanguage !== language) await ask(id)
  }
}

interface Followed {
  readonly from: Position
  readonly until: AbortSignal
  readonly end: () => void
}

/** Ends the round if all movies have to be processed again. */
async function followLog({ log }: OnlineJobDependencies, ask: Ask, { from, until, end }: Followed): Promise<void> {
  for await (const batch of log.follow(from, until)) {
    for (const event of batch.map(decodeKnown)) {
      until.throwIfAborted()
      if (event && bringsMany(event)) return end()
      const movieId = event && bringsOne(event)
      if (movieId) await ask(movieId)
    }
  }
}

/** A changed language, for example. */
const bringsMany = ({ type }: RecordedEvent): boolean => type === 'LibrarySettingsChanged' || type === 'LibraryRestored'

function bringsOne(event: RecordedEvent): MovieId | undefined {
  return event.type === 'MovieIdentified' || event.type === 'MovieMatchPinned' ? event.data.movieId : undefined
}

interface Asker {
  /** False if the provider is unavailable: ask about the movie later. @throws OnlineRefused; the signal's reason */
  ask(movieId: MovieId, signal: AbortSignal): Promise<boolean>
  /** No movie is left over: the next outage is reported again. */
  allAsked(): void
}

function createAsker({ clock, finder, onError }: OnlineJobDependencies): Asker {
  let pauseMs: number = PAUSE_MS.least
  let isReported = false

  async function wait({ retryAfterMs = pauseMs }: OnlineAway, signal: AbortSignal): Promise<void> {
    pauseMs = Math.min(PAUSE_MS.most, pauseMs * 2)
    await clock.sleep(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, retryAfterMs)), signal)
  }

  function leave({ message }: OnlineAway): false {
    if (!isReported) onError(new Error(`${message}. Films that are not found online for that are looked up later`), 'warn')
    isReported = true
    return false
  }

  /** The metadata is too large to store, and a retry would not help. */
  function refused(cause: AppendRefused): true {
    onError(cause, 'warn')
    return true
  }

  return {
    allAsked: () => void (isReported = false),
    async ask(movieId, signal) {
      let first: OnlineAway | undefined
      for (let n = 1; ; n++) {
        try {
          await finder.find(movieId, signal)
          pauseMs = PAUSE_MS.least
          return true
        } catch (cause) {
          signal.throwIfAborted()
          if (cause instanceof AppendRefused) return refused(cause)
          if (!(cause instanceof OnlineAway)) throw cause
          // Keep the first cause: later ones may only report that requests are suspended for a while.
          first ??= cause
          await wait(cause, signal)
          if (n === TRIES) return leave(first)
        }
      }
    },
  }
}
