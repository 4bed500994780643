/** Implements `replay`: the state of the server at an earlier time, folded from the log alone. */
import { libraries, type LibraryDocument } from '../../../projections/views/libraries.ts'
import { users, type UserDocument } from '../../../projections/views/users.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { decodeKnown } from '../../events/codec.ts'
import { START, toSeq } from '../../events/position.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import type { Sealer } from '../commands/sealer.ts'
import { ERASED } from '../accounts/accounts.ts'
import { closedIfIdle, idleAsOf, type IsIdle } from '../history/idle-viewings.ts'
import { countLibrary } from '../libraries/library-stats.ts'
import { endOf, foldAsOf } from '../read-models/as-of-fold.ts'
import { createTimeEnds } from '../read-models/time-ends.ts'
import { PAST_VIEWS } from '../read-models/past-views.ts'
import { collection, createReadModels, type Collection, type ReadModels } from '../read-models/read-models.ts'
import { NO_SNAPSHOTS } from '../read-models/snapshots.ts'
import type { PastState } from './operator-commands.ts'

export interface ReplayDependencies {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: EventLog
  /** A separate, empty store in memory. */
  readonly openScratchStore: () => ReadStore
  readonly sealer: Pick<Sealer, 'open'>
}

const VIEWS = [...PAST_VIEWS, libraries, users] as unknown as readonly AnyView[]
const LATEST = 10

export async function replay(
  { clock, log, openScratchStore, sealer }: ReplayDependencies,
  until: string,
  signal: AbortSignal,
): Promise<PastState | Refusal> {
  const end = endOf(until, { head: await log.head(), nowMs: clock.now(), path: 'until' })
  if (isRefusal(end)) return end
  const folding = {
    log,
    snapshots: NO_SNAPSHOTS,
    store: openScratchStore(),
    views: VIEWS,
    whose: 'everybody',
    removed: await removedIn(log, signal),
    until: await createTimeEnds({ clock, log, snapshots: NO_SNAPSHOTS }).find(end, signal),
  } as const
  const { store, last, lastMs } = await foldAsOf(folding, signal)
  const readModels = createReadModels(store)
  const names = await namesOf(collection(store, users), sealer)
  const viewings = await viewingsOf(readModels, names, idleAsOf('atMs' in end ? end.atMs : (lastMs ?? clock.now())))
  return {
    seq: toSeq(last),
    at: lastMs === undefined ? null : new Date(lastMs).toISOString(),
    users: [...names.values()],
    libraries: await librariesOf(collection(store, libraries), readModels),
    ...viewings,
  }
}

/** Viewings that their users have removed at any time: they stay removed. */
async function removedIn(log: EventLog, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const removed = new Set<string>()
  const head = await log.head()
  for await (const batch of head > START ? log.follow(START, signal) : []) {
    for (const stored of batch) {
      const event = stored.type === 'HistoryHidden' ? decodeKnown(stored) : undefined
      if (event?.type === 'HistoryHidden') removed.add(event.data.viewingId)
    }
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return removed
}

type Names = ReadonlyMap<string, PastState['users'][number]>

async function namesOf(accounts: Collection<UserDocument>, sealer: Pick<Sealer, 'open'>): Promise<Names> {
  const names = new Map<string, PastState['users'][number]>()
  for await (const { id, name, role, enabled } of accounts.walk({}))
    names.set(id, { name: (await sealer.open(name)) ?? ERASED, role, enabled })
  return names
}

async function librariesOf(all: Collection<LibraryDocument>, readModels: ReadModels): Promise<PastState['libraries']> {
  const found: PastState['libraries'][number][] = []
  for await (const { id, name, removedAt } of all.walk({})) {
    if (removedAt === null) found.push({ name, ...(await countLibrary(readModels, id)) })
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function viewingsOf({ viewings }: ReadModels, names: Names, isIdle: IsIdle) {
  const shown = [{ field: 'hidden', op: 'eq', value: false } as const]
  const [sum] = await viewings.sum({ where: shown, of: 'watchedMs' })
  const { items } = await viewings.find({ where: shown, sort: { field: 'startedAt', direction: 'desc' }, limit: LATEST })
  const closed = items.map((viewing) => closedIfIdle(isIdle, viewing))
  const latest = closed.map(({ userId, title, year, startedAt, endedAt, endPercent }) => ({
    name: names.get(userId)?.name ?? ERASED,
    title,
    year,
    startedAt,
    isOver: endedAt !== null,
    percent: endPercent,
  }))
  return { viewings: sum?.count ?? 0, watchedMs: sum?.sum ?? 0, latest }
}
