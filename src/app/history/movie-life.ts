/** Lists the life of a movie: its changes since its discovery, and each viewing that the caller may see. */
import { decodeKnown } from '../../events/codec.ts'
import type { Json, JsonObject } from '../../events/envelope.ts'
import { isLifeEvent, lifeKindOf, type LifeKind } from '../../events/movie-life.ts'
import { movieStream } from '../../events/streams.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import { changesBy, type Change } from '../../../projections/views/audit-changes.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Access } from '../access/access.ts'
import { actsAsAdmin, type Caller } from '../access/caller.ts'
import { visibleMovieId } from '../movies/movies.ts'
import type { ListPage, PagePoint, PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Asking, History, HistoryEntry } from './history.ts'

export interface LifeStep {
  readonly id: string
  readonly at: string
  readonly kind: LifeKind | 'viewing'
  /** `user:<id>`, `system` or `cli`; visible to administrators, and to the user. */
  readonly by: { readonly kind: 'user' | 'system' | 'cli'; readonly id: string | null } | null
  readonly changes: readonly Change[]
  readonly viewing: HistoryEntry | null
  /** Breaks ties at equal times: the smallest is the newest. Viewings have their ids here. */
  readonly order: string
}

export interface MovieLife {
  /** Newest first. */
  of(asking: Asking, id: string, page: PageRequest): Promise<ListPage<LifeStep> | Refusal>
}

export interface MovieLifeDependencies {
  readonly access: Access
  readonly readModels: ReadModels
  readonly history: Pick<History, 'ofMovie'>
  readonly log: Pick<EventLog, 'read'>
}

/** A movie on a disk that comes and goes for years has more: only the newest are kept. */
const STEPS_MAX = 5_000

export function createMovieLife(deps: MovieLifeDependencies): MovieLife {
  return {
    async of(asking, id, page) {
      const movieId = await visibleMovieId(deps, asking.caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      const viewings = await deps.history.ofMovie(asking, id, page)
      if (isRefusal(viewings)) return viewings
      const known = await stepsOf(deps, asking.caller, movieId)
      const steps = known.filter((step) => comesAfter(step, page.after))
      const all = [...viewings.items.map(viewingStep), ...steps].toSorted(newestFirst)
      const items = all.slice(0, page.limit)
      const last = items.at(-1)
      const isLonger = all.length > items.length || viewings.next !== null
      const total = viewings.total === undefined ? {} : { total: viewings.total + known.length }
      return { items, next: isLonger && last ? { value: last.at, id: last.order } : null, ...total }
    },
  }
}

const viewingStep = (viewing: HistoryEntry): LifeStep => ({
  id: viewing.id,
  at: viewing.startedAt,
  kind: 'viewing',
  by: { kind: 'user', id: viewing.userId },
  changes: [],
  viewing,
  order: viewing.id,
})

/** In the store's order of viewings: by time, newest first, then by id. */
const newestFirst = (a: LifeStep, b: LifeStep): number => compare(b.at, a.at) || compare(a.order, b.order)

/** At equal times, events are in stream order and before the viewings: `~` sorts after all characters of ids. */
const orderOf = (revision: number): string => `~${String(Number.MAX_SAFE_INTEGER - revision).padStart(16, '0')}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function comesAfter({ at, order }: LifeStep, after: PagePoint | undefined): boolean {
  if (!after) return true
  const { value, id } = after
  return typeof value === 'string' && (at < value || (at === value && order > id))
}

async function stepsOf({ log }: MovieLifeDependencies, caller: Caller, movieId: MovieId): Promise<readonly LifeStep[]> {
  const steps: LifeStep[] = []
  let before: JsonObject = {}
  for await (const stored of log.read(movieStream(movieId))) {
    const event = decodeKnown(stored)
    if (!event) continue
    const { changes, after } = changesBy(event, before)
    before = after
    if (!isLifeEvent(event)) continue
    const { id, at, metadata, revision } = event
    const by = byOf(caller, metadata.actor)
    steps.push({ id, at, kind: lifeKindOf(event), by, changes: changes.map(shownTo(caller)), viewing: null, order: orderOf(revision) })
    if (steps.length > STEPS_MAX) steps.shift()
  }
  return steps
}

function byOf(caller: Caller, actor: string): LifeStep['by'] {
  const [, id] = /^user:(.+)$/.exec(actor) ?? []
  if (id !== undefined) return { kind: 'user', id: actsAsAdmin(caller) || id === caller.userId ? id : null }
  return { kind: actor === 'cli' ? 'cli' : 'system', id: null }
}

/** Only administrators see folders. */
const shownTo =
  (caller: Caller) =>
  ({ path, from, to }: Change): Change =>
    actsAsAdmin(caller) || !/(?:^artwork\.|\.path$)/.test(path) ? { path, from, to } : { path, from: fileName(from), to: fileName(to) }

const fileName = (value: Json): Json => (typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : value)
