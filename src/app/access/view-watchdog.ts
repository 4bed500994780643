/**
 * Watches the live views of a node whose log is also written by other programs. If a log subscription stalls while the log advances, it is
 * replaced by a new one. If that does not help, this node can no longer judge permissions: it reports so until it has caught up, so that no
 * revoked permission can be used here.
 *
 * Whether the log is advancing is read from its head or, if that fails, from positions that other nodes announce. If it advances for nobody
 * (an outage), nothing changes.
 */
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import { later, START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { createPauseCheck } from './pause-check.ts'

/** Feeds the views until the signal, reporting the position reached. */
export type Feed = (passed: (position: Position) => void, signal: AbortSignal) => Promise<void>

export interface ViewWatchdog {
  /** Whether this node is up to date enough to judge permissions. True while the watchdog does not run. */
  judges(this: void): boolean
  /** The same for a new request, which must not be judged by knowledge from before a pause of this process. */
  isCurrent(this: void): boolean
  /** Resolves to true as soon as it is; to false after two seconds. */
  whenCurrent(this: void): Promise<boolean>
  /** Runs the feed until the signal, and restarts it whenever it stalls. @throws what the feed throws */
  feed(feed: Feed, signal: AbortSignal): Promise<void>
  /** Watches until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** From now on this node judges nothing: its views come from another log. */
  distrust(this: void): void
}

export interface ViewWatchdogDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  /** The furthest log position that another node has announced. */
  readonly furthest: () => Position
  readonly onError: (cause: unknown) => void
}

const LOOK_EVERY_MS = 1_000
const HEAD_MS = 1_000
/**
 * The subscription is restarted after so long without progress, while the log has more events. Doubles with each restart, up to the
 * maximum.
 */
const STALLED_MS = 5_000
const STALLED_MOST_MS = 60_000
/** Views that are this far behind are too old to judge by, until they are almost as far as the log. */
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

export function createViewWatchdog({ clock, log, furthest, onError }: ViewWatchdogDependencies): ViewWatchdog {
  /** Marks that the views have not passed, oldest first. */
  let marks: Mark[] = []
  let reached: Position | undefined
  let progressAtMs = 0
  let patienceMs = STALLED_MS
  let lookedAtMs: number | undefined
  let isBlind = false
  let isDistrusted = false
  let giveUp = (): void => {}
  const pauses = createPauseCheck({ clock, log, furthest })

  function passed(position: Position): void {
    pauses.passed(position)
    if (reached !== undefined && position <= reached) return
    reached = position
    progressAtMs = clock.monotonic()
    patienceMs = STALLED_MS
    marks = marks.filter((mark) => mark.position > position)
  }

  function note(position: Position, atMs: number): void {
    const last = marks.at(-1)
    if (reached === undefined || position <= (last?.position ?? reached)) return
    if (last && marks.length >= MARKS_MAX) last.position = position
    else marks.push({ position, atMs })
  }

  const head = (): Promise<Position | undefined> => withTimeout(log.head(), { clock, ms: HEAD_MS, message: 'late' }).catch(() => undefined)

  async function look(): Promise<void> {
    const atMs = clock.monotonic()
    const hasSlept = atMs - (lookedAtMs ?? atMs) > SLEPT_MS
    const end = await head()
    // No answer, or one from before a pause of this process: wait for the next look.
    if ((hasSlept && !end) || clock.monotonic() - atMs > SLEPT_MS) return
    if (hasSlept) progressAtMs = atMs
    note(later(end ?? START, furthest()), hasSlept ? atMs - TOO_OLD_MS : atMs)
    lookedAtMs = clock.monotonic()
    const [oldest] = marks
    const behindMs = oldest ? lookedAtMs - oldest.atMs : 0
    if (oldest && lookedAtMs - Math.max(progressAtMs, oldest.atMs) >= patienceMs) beginAnew()
    const wasBlind = isBlind
    isBlind = behindMs >= (wasBlind ? CAUGHT_UP_MS : TOO_OLD_MS)
    if (isBlind && !wasBlind) onError(new Error(STALE))
  }

  function beginAnew(): void {
    if (patienceMs === STALLED_MS) onError(new Error(STALLED))
    progressAtMs = clock.monotonic()
    patienceMs = Math.min(STALLED_MOST_MS, patienceMs * 2)
    giveUp()
  }

  const judges = () => !isDistrusted && (lookedAtMs === undefined || (!isBlind && clock.monotonic() - lookedAtMs <= SLEPT_MS))

  return {
    judges,
    distrust: () => void (isDistrusted = true),
    isCurrent: () => judges() && pauses.isUpToDate(),
    whenCurrent: async () => (await pauses.whenUpToDate(PATIENCE_MS)) && judges(),

    async feed(feed, signal) {
      for (let isOver = false; !isOver && !signal.aborted;) {
        const givenUp = new AbortController()
        giveUp = () => givenUp.abort()
        const feeding = feed((position) => givenUp.signal.aborted || passed(position), AbortSignal.any([signal, givenUp.signal]))
        try {
          // A feed that does not even stop when it is aborted is abandoned.
          await abortable(feeding, givenUp.signal)
          isOver = true
        } catch (cause) {
          if (!givenUp.signal.aborted) throw cause
        }
      }
    },

    async run(signal) {
      const checking = pauses.run(signal)
      while (!signal.aborted) {
        await look()
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {})
      }
      await checking
    },
  }
}
