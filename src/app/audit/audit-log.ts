/** Reads the audit log for administrators: rows of the view, with names and addresses decrypted as far as their keys exist. */
import { CLOCKS_APART_MS, type AuditRow, type TargetKind } from '../../../projections/views/audit-row.ts'
import { parseId } from '../../vocabulary/id.ts'
import type { EventType } from '../../events/catalogue.ts'
import type { Json } from '../../events/envelope.ts'
import { isSealed, type Sealed } from '../../events/sealed.ts'
import type { Filter } from '../../ports/read-store.ts'
import type { Sealer } from '../commands/sealer.ts'
import { findPage, type ReadModels } from '../read-models/read-models.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'

export interface AuditEntry {
  /** Starts at 1, without gaps, in log order. */
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly actor: AuditActor
  readonly target: { readonly kind: TargetKind; readonly id: string | null }
  readonly requestId: string | null
  readonly changes: readonly { readonly path: string; readonly from: Json; readonly to: Json }[]
  /** Base64: the leaf of the Merkle tree (src/events/merkle-tree.ts). */
  readonly leafHash: string
}

export interface AuditActor {
  readonly kind: 'user' | 'system' | 'cli'
  readonly id: string | null
  /** The user's name; "erased user" after an erasure. */
  readonly name: string | null
  readonly ip: string | null
  readonly client: string | null
}

export interface AuditFilter {
  readonly actorId?: string | undefined
  readonly targetId?: string | undefined
  /** Heartbeats are left out unless they are asked for. */
  readonly type?: EventType | undefined
  readonly requestId?: string | undefined
  /** RFC 3339 UTC with milliseconds: `from` inclusive, `to` exclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type Order = 'asc' | 'desc'

export interface AuditLog {
  list(filter: AuditFilter, order: Order, page: PageRequest): Promise<ListPage<AuditEntry>>
}

export interface AuditLogDependencies {
  readonly readModels: Pick<ReadModels, 'audit'>
  readonly sealer: Pick<Sealer, 'open'>
  /** The name of a user, "erased user" once it cannot be decrypted; null if there never was such a user. */
  readonly nameOf: (userId: string) => Promise<string | null>
}

export function createAuditLog(deps: AuditLogDependencies): AuditLog {
  return {
    async list(filter, order, page) {
      const where = [...conditions(filter), ...(await seqBounds(deps, filter))]
      const found = await findPage(deps.readModels.audit, { where, sort: { field: 'seq', direction: order } }, page)
      return { ...found, items: await opened(deps, found.items) }
    },
  }
}

function conditions({ actorId, targetId, type, requestId, from, to }: AuditFilter): readonly Filter[] {
  const equal = { actorId, targetId, type, requestId }
  return [
    ...Object.entries(equal).flatMap(([field, value]) => (value === undefined ? [] : [{ field, op: 'eq', value } as const])),
    ...(type === 'PlaybackHeartbeat' ? [] : [{ field: 'listed', op: 'eq', value: true } as const]),
    ...(from === undefined ? [] : [{ field: 'at', op: 'gte', value: from } as const]),
    ...(to === undefined ? [] : [{ field: 'at', op: 'lt', value: to } as const]),
  ]
}

/** Bounds of `seq` around all rows of the time range, so that the scan starts and ends close to them. */
async function seqBounds(deps: AuditLogDependencies, { from, to }: AuditFilter): Promise<readonly Filter[]> {
  const first = from === undefined ? 1 : await firstSince(deps, from)
  const end = to === undefined ? undefined : await endOf(deps, to)
  return [
    { field: 'seq', op: 'gte', value: first ?? Number.MAX_SAFE_INTEGER },
    ...(end === undefined ? [] : [{ field: 'seq', op: 'lt', value: end } as const]),
  ]
}

/** The first row at which some clock had reached that time. */
async function firstSince({ readModels }: AuditLogDependencies, time: string): Promise<number | undefined> {
  const where = [{ field: 'timeKey', op: 'gte', value: time }] as const
  const { items } = await readModels.audit.find({ where, sort: { field: 'timeKey', direction: 'asc' }, only: ['seq'], limit: 1 })
  return items[0]?.seq
}

/**
 * A row after which no row is earlier than that time. Rows that follow a clock that ran far ahead are marked late: the last late row from
 * before that time counts. If the query gives up among very many late rows, the row that it reached counts.
 */
async function endOf(deps: AuditLogDependencies, to: string): Promise<number | undefined> {
  const inTime = await firstSince(deps, new Date(Date.parse(to) + CLOCKS_APART_MS).toISOString())
  if (inTime === undefined) return undefined
  const where = [
    { field: 'late', op: 'eq', value: true },
    { field: 'seq', op: 'gte', value: inTime },
    { field: 'at', op: 'lt', value: to },
  ] as const
  const sort = { field: 'seq', direction: 'desc' } as const
  const { items, next } = await deps.readModels.audit.find({ where, sort, only: ['seq'], limit: 1 })
  const last = items[0]?.seq ?? next?.value
  return typeof last === 'number' ? last + 1 : inTime
}

export async function opened({ sealer, nameOf }: AuditLogDependencies, rows: readonly AuditRow[]): Promise<readonly AuditEntry[]> {
  const userIds = new Set(rows.flatMap(({ actor, actorId }) => (actorId !== null && actor.startsWith('user:') ? [actorId] : [])))
  const names = new Map(await Promise.all([...userIds].map(async (id) => [id, await nameOf(id)] as const)))
  const open = async (value: string | null) => (value !== null && isSealed(value) ? ((await sealer.open(value)) ?? null) : value)
  const openValue = async (value: Json): Promise<Json> => (typeof value === 'string' ? open(value) : value)
  return Promise.all(
    rows.map(async (row) => ({
      seq: row.seq,
      type: row.type,
      at: row.at,
      actor: {
        kind: kindOf(row.actor),
        id: idOrNull(row.actorId),
        name: names.get(row.actorId ?? '') ?? null,
        ip: await open(row.address as Sealed | null),
        client: await open(row.client as Sealed | null),
      },
      target: { kind: row.targetKind, id: idOrNull(row.targetId) },
      requestId: idOrNull(row.requestId),
      changes: await Promise.all(
        row.changes.map(async ({ path, from, to }) => ({ path, from: await openValue(from), to: await openValue(to) })),
      ),
      leafHash: row.leafHash,
    })),
  )
}

/** Transcode agents count as the system: they carry out its jobs. */
function kindOf(actor: string): AuditActor['kind'] {
  if (actor === 'cli') return 'cli'
  return actor.startsWith('user:') ? 'user' : 'system'
}

/** Agents and the server itself have names that are not ids. */
const idOrNull = (text: string | null): string | null => (text === null ? null : (parseId(text) ?? null))
