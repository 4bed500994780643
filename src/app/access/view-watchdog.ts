/**
 * Watches the live views of a node whose log is also written by other programs. If a log subscription stalls while the log advances, it is
 * replaced by a new one. If that does not help, this node can no longer check permissions: it reports so until it has caught up, so that no
 * revoked permission can be used here.
 *
 * Whether the log is advancing is read from its head or, if that fails, from positions that other nodes announce. If it advances for nobody
 * (an outage), nothing changes.
 */
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import { later, START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { createPauseCheck, type PauseCheck } from './pause-check.ts'
import type { Report } from '../../ports/report.ts'

/** Feeds the views until the signal, reporting the position reached. */
export type Feed = (passed: (position: Position) => void, signal: AbortSignal) => Promise<void>

export interface ViewWatchdog {
  /** Whether this node is up to date enough to check permissions. True while the watchdog does not run. */
  isFollowing(this: void): boolean
  /** The same for a new request, which must not be checked against knowledge from before a pause of this process. */
  isCurrent(this: void): boolean
  /** Resolves to true as soon as it is; to false after two seconds. */
  whenCurrent(this: void): Promise<boolean>
  /** Runs the feed until the signal, and restarts it whenever it stalls. @throws what the feed throws */
  feed(feed: Feed, signal: AbortSignal): Promise<void>
  /** Watches until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** From now on this node serves nothing: its views come from another log. */
  distrust(this: void): void
}

export interface ViewWatchdogDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  /** The furthest log position that another node has announced. */
  readonly furthest: () => Position
  readonly onError: Report
}

const LOOK_EVERY_MS = 1_000
const HEAD_MS = 1_000
/**
 * The subscription is restarted after so long without progress, while the log has more events. Doubles with each restart, up to the
 * maximum.
 */
const STALLED_MS = 5_000
const STALLED_MOST_MS = 60_000
/** Views that are this far behind are too old to check permissions against, until they are almost as far as the log. */
const TOO_OLD_MS = 8_000
const CAUGHT_UP_MS = 2_000
/** A gap this long between two looks means that this process was paused, and its knowledge is as old. */
const SLEPT_MS = 5_000
const MARKS_MAX = 16
/** How long a request waits for a node that was paused; the missed events usually arrive within milliseconds. */
const PATIENCE_MS = 2_000

/** The head of the log at a time. */
interface Mark {
  position: Position
  readonly atMs: number
}

const STALLED = 'Log subscription stalled while the log advances; resubscribing'
const STALE = 'This node is out of date: it refuses requests until it has caught up with the log'
const CAUGHT_UP = 'This node is up to date again: it serves requests'

interface State extends ViewWatchdogDependencies {
  /** Marks that the views have not passed, oldest first. */
  marks: Mark[]
  reached: Position | undefined
  progressAtMs: number
  patienceMs: number
  lookedAtMs: number | undefined
  isBlind: boolean
  isDistrusted: boolean
  giveUp: () => void
  readonly pauses: PauseCheck
}

export function createViewWatchdog(deps: ViewWatchdogDependencies): ViewWatchdog {
  const { clock, log, furthest } = deps
  const pauses = createPauseCheck({ clock, log, furthest })
  const state: State = {
    ...deps,
    marks: [],
    reached: undefined,
    progressAtMs: 0,
    patienceMs: STALLED_MS,
    lookedAtMs: undefined,
    isBlind: false,
    isDistrusted: false,
    giveUp: (): void => {},
    pauses,
  }

  return {
    isFollowing: () => isFollowing(state),
    distrust: () => void (state.isDistrusted = true),
    isCurrent: () => isFollowing(state) && pauses.isUpToDate(),
    whenCurrent: async () => (await pauses.whenUpToDate(PATIENCE_MS)) && isFollowing(state),
    feed: (feed, signal) => restartFeed(state, feed, signal),
    run: (signal) => run(state, signal),
  }
}

function passed(state: State, position: Position): void {
  const { pauses, clock } = state
  pauses.passed(position)
  if (state.reached !== undefined && position <= state.reached) return
  state.reached = position
  state.progressAtMs = clock.monotonic()
  state.patienceMs = STALLED_MS
  state.marks = state.marks.filter((mark) => mark.position > position)
}

function note(state: State, position: Position, atMs: number): void {
  const last = state.marks.at(-1)
  if (state.reached === undefined || position <= (last?.position ?? state.reached)) return
  if (last && state.marks.length >= MARKS_MAX) last.position = position
  else state.marks.push({ position, atMs })
}

const head = ({ log, clock }: State): Promise<Position | undefined> =>
  withTimeout(log.head(), { clock, ms: HEAD_MS, message: 'late' }).catch(() => undefined)

async function look(state: State): Promise<void> {
  const { clock, furthest, onError } = state
  const atMs = clock.monotonic()
  const hasSlept = atMs - (state.lookedAtMs ?? atMs) > SLEPT_MS
  const end = await head(state)
  // No answer, or one from before a pause of this process: wait for the next look.
  if ((hasSlept && !end) || clock.monotonic() - atMs > SLEPT_MS) return
  if (hasSlept) state.progressAtMs = atMs
  note(state, later(end ?? START, furthest()), hasSlept ? atMs - TOO_OLD_MS : atMs)
  state.lookedAtMs = clock.monotonic()
  const [oldest] = state.marks
  const behindMs = oldest ? state.lookedAtMs - oldest.atMs : 0
  if (oldest && state.lookedAtMs - Math.max(state.progressAtMs, oldest.atMs) >= state.patienceMs) restart(state)
  const wasBlind = state.isBlind
  state.isBlind = behindMs >= (wasBlind ? CAUGHT_UP_MS : TOO_OLD_MS)
  if (state.isBlind && !wasBlind) onError(new Error(STALE), 'warn')
  if (wasBlind && !state.isBlind) onError(new Error(CAUGHT_UP), 'info')
}

function restart(state: State): void {
  const { onError, clock } = state
  if (state.patienceMs === STALLED_MS) onError(new Error(STALLED), 'warn')
  state.progressAtMs = clock.monotonic()
  state.patienceMs = Math.min(STALLED_MOST_MS, state.patienceMs * 2)
  state.giveUp()
}

const isFollowing = (state: State) =>
  !state.isDistrusted && (state.lookedAtMs === undefined || (!state.isBlind && state.clock.monotonic() - state.lookedAtMs <= SLEPT_MS))

async function restartFeed(state: State, feed: Feed, signal: AbortSignal): Promise<void> {
  for (let isOver = false; !isOver && !signal.aborted;) {
    const givenUp = new AbortController()
    state.giveUp = () => givenUp.abort()
    const feeding = feed((position) => givenUp.signal.aborted || passed(state, position), AbortSignal.any([signal, givenUp.signal]))
    try {
      // A feed that does not even stop when it is aborted is abandoned.
      await abortable(feeding, givenUp.signal)
      isOver = true
    } catch (cause) {
      if (!givenUp.signal.aborted) throw cause
    }
  }
}

async function run(state: State, signal: AbortSignal): Promise<void> {
  const { pauses, clock } = state
  const checking = pauses.run(signal)
  while (!signal.aborted) {
    await look(state)
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
  }
  await checking
}
