/**
 * Keeps what a provider of online metadata says of films: asks it about every movie that lacks that, one after the other, and meanwhile
 * and from then on about each that comes or becomes another film. Nothing is remembered for it: what the provider did not answer, or
 * does not have, is found again in a later round or after the next start.
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

export interface OnlineJobDependencies {
  readonly clock: Clock
  readonly documents: Pick<ReadModels, 'movieKeys'>
  readonly finder: Pick<OnlineMatcher, 'find' | 'languageOf'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly onError: (cause: unknown) => void
}

/** Until all movies are looked through again: the provider may know more by then. */
const ROUND_MS = 30 * 24 * 3_600_000
/** The same where it was away for some of them: longer from round to round, since all are looked through for those few. */
const LEFT_MS = { least: 10 * 60_000, most: 3_600_000 }
/** About one movie, so that the others get their turn where there is one that the provider fails on. */
const TRIES = 3
/** Between tries of a provider that is away: each longer than the one before, until it answers. */
const PAUSE_MS = { least: 5_000, most: 5 * 60_000 }

/** Gives the task: it runs until its signal, and may be run again. A key that is not taken ends the asking for good, and is told once. */
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
  /** Until the next one where movies are left. */
  readonly leftMs: number
}

/** Looks through all movies and follows the log until it is time to look again. Whether some of them are left. */
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

/** Goes off some time after all movies were looked through, sooner where some of them are left. */
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

async function lookThrough({ documents, finder }: OnlineJobDependencies, ask: Ask, until: AbortSignal): Promise<void> {
  for await (const { id, libraryId, onlineLanguage } of documents.movieKeys.walk({})) {
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

/** Ends the round where all movies are to be looked through again. */
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

/** Another language, for one. */
const bringsMany = ({ type }: RecordedEvent): boolean => type === 'LibrarySettingsChanged' || type === 'LibraryRestored'

function bringsOne(event: RecordedEvent): MovieId | undefined {
  return event.type === 'MovieIdentified' || event.type === 'MovieMatchPinned' ? event.data.movieId : undefined
}

interface Asker {
  /** False where the provider is away, and it is to be asked about the movie later. @throws OnlineRefused; the signal's reason */
  ask(movieId: MovieId, signal: AbortSignal): Promise<boolean>
  /** Nothing is left: when it is away again that is told again. */
  allAsked(): void
}

function createAsker({ clock, finder, onError }: OnlineJobDependencies): Asker {
  let pauseMs: number = PAUSE_MS.least
  let isTold = false

  async function wait({ retryAfterMs = pauseMs }: OnlineAway, signal: AbortSignal): Promise<void> {
    pauseMs = Math.min(PAUSE_MS.most, pauseMs * 2)
    await clock.sleep(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, retryAfterMs)), signal)
  }

  function leave({ message }: OnlineAway): false {
    if (!isTold) onError(new Error(`${message}. Films that are not found online for that are looked up later`))
    isTold = true
    return false
  }

  /** It says more than can be written down; so it will tomorrow. */
  function refused(cause: AppendRefused): true {
    onError(cause)
    return true
  }

  return {
    allAsked: () => void (isTold = false),
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
          // Later ones may say no more than that the provider is left alone for a while.
          first ??= cause
          await wait(cause, signal)
          if (n === TRIES) return leave(first)
        }
      }
    },
  }
}
