/**
 * Watch over the live views, where other programs append too. A follow of the log that stands still while the log goes on is given
 * up and begun anew. Where that does not help this node can no longer judge who may what: it says so until it has caught up, so that
 * no grant outlives its end. Whether the log goes on its own end shows and, should it not answer here, what others tell on the bus;
 * where it goes on for nobody, as while it is away, everything stays as it was.
 */
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import { later, START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { createPauseCheck } from './pause-check.ts'

/** Feeds the views until the signal, telling how far they have come. */
export type Feed = (passed: (position: Position) => void, signal: AbortSignal) => Promise<void>

export interface ViewWatchdog {
  /** Whether this node knows well enough what has happened to judge who may what. True where nobody watches. */
  judges(this: void): boolean
  /** The same for a new request, which must not be judged by what was known before this process stood still. */
  isCurrent(this: void): boolean
  /** As soon as it is; false if it is not within two seconds. */
  whenCurrent(this: void): Promise<boolean>
  /** Runs the feed until the signal, anew whenever it stands still. @throws what it throws */
  feed(feed: Feed, signal: AbortSignal): Promise<void>
  /** Watches until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** From now on nobody is judged: what this node knows is of another log. */
  distrust(this: void): void
}

export interface ViewWatchdogDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  /** The furthest that anybody else was heard to be in the log. */
  readonly furthest: () => Position
  readonly onError: (cause: unknown) => void
}

const LOOK_EVERY_MS = 1_000
const HEAD_MS = 1_000
/** Without any progress, while there is something to come (architecture, section 4). */
const STALLED_MS = 5_000
const STALLED_MOST_MS = 60_000
/** Behind by so much the views are too old to judge by, until they are about as far as the log. */
const TOO_OLD_MS = 8_000
const CAUGHT_UP_MS = 2_000
/** Looks that were not taken for so long: this process stood still, and what it knows is as old. */
const SLEPT_MS = 5_000
const MARKS_MAX = 16
/** A request waits so long for a node that stood still; what came meanwhile is there in milliseconds. */
const PATIENCE_MS = 2_000

/** How far the log was at a time. */
interface Mark {
  position: Position
  readonly atMs: number
}

const STALLED = 'Log subscription stalled while the log advances; resubscribing'
const STALE = 'This node is out of date: it refuses requests until it has caught up with the log'

export function createViewWatchdog({ clock, log, furthest, onError }: ViewWatchdogDependencies): ViewWatchdog {
  /** Those that the views have not passed, the oldest first. */
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
    // Nothing was told, or before this process stood still: the next look tells.
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
          // One that does not even end when it is told to is left behind.
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
