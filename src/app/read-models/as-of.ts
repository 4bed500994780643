/**
 * Provides read models as of an earlier time. A fold starts from a snapshot, or reads the whole log. One fold runs at a time on a node,
 * users take turns, and each user has a budget. Results are cached for a while. Access is always decided by today's permissions.
 */
import { createHash } from 'node:crypto'
import type { UserId } from '../../vocabulary/id.ts'
import { toSeq } from '../../events/position.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { QueueFull } from '../../concurrency/semaphore.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { NoCollection, type Filter, type ReadStore } from '../../ports/read-store.ts'
import { createReadModels, type ReadModels } from './read-models.ts'
import { endOf, foldAsOf, type End, type Folded, type Whose } from './as-of-fold.ts'
import { createFoldCache } from './as-of-cache.ts'
import { createTimeEnds } from './time-ends.ts'
import type { Snapshots } from './snapshots.ts'

export interface ReadModelsAsOf {
  readonly readModels: ReadModels
  /** Position of the last event until that time, as on the wire. */
  readonly seq: string
  /** That time; if an event was requested, the time of the last event, or now if nothing had happened yet. */
  readonly atMs: number
}

export interface AsOf {
  /**
   * `whose`: another user's own state, or everybody's; default: the caller's. `asOf`: RFC 3339 or `seq:<n>`. The fold is cancelled when all
   * its callers have disconnected. Refusals: `invalid` (`asOf`) for another format or the future, `unavailable` if too many wait or the log
   * is too long, `too-many` if the user's budget is spent.
   */
  at(userId: UserId, asOf: string, signal: AbortSignal, whose?: Whose): Promise<ReadModelsAsOf | Refusal>
}

export interface AsOfDependencies {
  readonly clock: Clock
  readonly log: EventLog
  readonly snapshots: Snapshots
  /** Opens a separate, empty store in memory. */
  readonly openStore: () => ReadStore
  /** The current documents. */
  readonly readModels: Pick<ReadModels, 'viewings'>
}

const FOLD_MS = 60_000
/** `waitingEach`: different requests of one user. */
const QUEUE = { width: 1, waitingMax: 64, waitingEach: 8 }
const PATIENCE_MS = 30_000
/** Time for folds per user; when it is spent, further folds are refused for the rest of the window. */
const BUDGET = { foldMs: 60_000, windowMs: 300_000 }
const BUDGETS_KEPT = 10_000
const BUSY = refuse('unavailable', 'Too many asOf requests: try again', { retryAfterSeconds: 5 })
const TOO_LONG = refuse('unavailable', 'The log is too long for asOf now: try again later', { retryAfterSeconds: 60 })

interface Question {
  /** The caller. */
  readonly userId: UserId
  readonly whose: Whose
  readonly removed: ReadonlySet<string>
  /** Identifies `whose` and `removed`. */
  readonly subject: string
  readonly end: End
}

export function createAsOf({ clock, log, snapshots, openStore, readModels }: AsOfDependencies): AsOf {
  const semaphore = createFairSemaphore({ ...QUEUE, patience: { clock, ms: PATIENCE_MS } })
  const flights = createSingleFlight<Folded | Refusal>()
  const kept = createFoldCache(clock)
  const timeEnds = createTimeEnds({ clock, log, snapshots })
  const budgets = createBudgets(clock)

  async function fold(question: Question, signal: AbortSignal): Promise<Folded | Refusal> {
    const { userId, whose, removed, end } = question
    const spent = budgets.refusal(userId)
    if (spent) return spent
    const late = new AbortController()
    const stop = clock.after(FOLD_MS, () => late.abort())
    const startedMs = clock.monotonic()
    const given = AbortSignal.any([signal, late.signal])
    try {
      const until = await timeEnds.find(end, given)
      const known = kept.find(question.subject, until)
      if (known) return known
      const folded = await foldAsOf({ log, snapshots, store: openStore(), whose, removed, until }, given)
      kept.keep(question.subject, folded)
      return folded
    } catch (cause) {
      if (late.signal.aborted && !signal.aborted) return TOO_LONG
      // The snapshots were dropped meanwhile, as in an upgrade.
      if (cause instanceof NoCollection) return BUSY
      throw cause
    } finally {
      stop()
      budgets.spend(userId, clock.monotonic() - startedMs)
    }
  }

  async function inTurn(question: Question, signal: AbortSignal): Promise<Folded | Refusal> {
    try {
      // While this request waited, another one of the user may have produced the same fold.
      return await semaphore(question.userId, async () => (await keptFor(question, signal)) ?? fold(question, signal), signal)
    } catch (cause) {
      if (cause instanceof QueueFull) return BUSY
      throw cause
    }
  }

  async function keptFor(question: Question, signal: AbortSignal): Promise<Folded | undefined> {
    const until = await timeEnds.known(question.end, signal)
    return until === undefined ? undefined : kept.find(question.subject, until)
  }

  return {
    async at(userId, asOf, signal, whose = userId) {
      const end = endOf(asOf, { head: await log.head(), nowMs: clock.now(), path: 'asOf' })
      if (isRefusal(end)) return end
      const removed = await removedBy(readModels, whose)
      const question = { userId, whose, removed, subject: subjectOf(whose, removed), end }
      const join = () => flights.join(`${userId} ${question.subject} ${JSON.stringify(end)}`, (given) => inTurn(question, given), signal)
      const folded = (await keptFor(question, signal)) ?? (await join())
      if (isRefusal(folded)) return folded
      const atMs = 'atMs' in end ? end.atMs : (folded.lastMs ?? clock.now())
      return { readModels: createReadModels(folded.store), seq: toSeq(folded.last), atMs }
    },
  }
}

/** Viewings that their users have removed since. */
async function removedBy({ viewings }: AsOfDependencies['readModels'], whose: Whose): Promise<ReadonlySet<string>> {
  const hidden: Filter = { field: 'hidden', op: 'eq', value: true }
  const where: readonly Filter[] = whose === 'everybody' ? [hidden] : [hidden, { field: 'userId', op: 'eq', value: whose }]
  const ids = new Set<string>()
  for await (const { id } of viewings.walk({ where, sort: { field: 'startedAt', direction: 'asc' } })) ids.add(id)
  return ids
}

function subjectOf(whose: Whose, removed: ReadonlySet<string>): string {
  const digest = createHash('sha256')
    .update([...removed].toSorted().join(' '))
    .digest('base64url')
  return `${whose} ${digest}`
}

/** Tracks how much of this node's time each user has spent on folds, in windows that start with the first fold. */
function createBudgets(clock: Clock) {
  const budgets = createLruCache<{ readonly untilMs: number; readonly foldMs: number }>(BUDGETS_KEPT)
  const current = (userId: UserId) => {
    const budget = budgets.peek(userId)
    return budget && budget.untilMs > clock.monotonic() ? budget : { untilMs: clock.monotonic() + BUDGET.windowMs, foldMs: 0 }
  }
  return {
    refusal(userId: UserId): Refusal | undefined {
      const { untilMs, foldMs } = current(userId)
      if (foldMs < BUDGET.foldMs) return undefined
      const retryAfterSeconds = Math.ceil((untilMs - clock.monotonic()) / 1000)
      return refuse('too-many', 'Too many asOf requests of this user: try again later', { retryAfterSeconds })
    },
    spend(userId: UserId, ms: number): void {
      const { untilMs, foldMs } = current(userId)
      budgets.put(userId, { untilMs, foldMs: foldMs + ms })
    },
  }
}
