/** Reads the audit log for a user: actions on the user's account with their actors, and, for the export, the user's own actions. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { auditRowId, EVERYBODY, type AuditRow } from '../../../projections/views/audit-row.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Json } from '../../events/envelope.ts'
import { isSealed, subjectOf } from '../../events/sealed.ts'
import type { Filter } from '../../ports/read-store.ts'
import { totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import { opened, type AuditEntry, type AuditLogDependencies, type Order } from './audit-log.ts'

export interface OwnAudit {
  /** Entries about a user's account, including reads of everybody's data. Network addresses and clients of others are left out. */
  list(this: void, userId: UserId, order: Order, page: PageRequest): Promise<ListPage<AuditEntry>>
  /**
   * The same entries, oldest first, with heartbeats after all others. Then the user's other actions, without personal data of others; then
   * every `LoginsExpired`, which may name logins of the user.
   */
  walk(this: void, userId: UserId): AsyncIterable<{ readonly entry: AuditEntry; readonly row: AuditRow }>
}

export function createOwnAudit(deps: AuditLogDependencies): OwnAudit {
  const { audit } = deps.readModels

  /** The first row about the user: reads of everybody's data before it did not include this account. */
  async function firstAbout(userId: UserId): Promise<number> {
    const sort = { field: 'seq', direction: 'asc' } as const
    const { items } = await audit.find({ where: about(userId, true), sort, only: ['seq'], limit: 1 })
    return items[0]?.seq ?? Number.MAX_SAFE_INTEGER
  }

  async function find(where: readonly Filter[], order: Order, { after, limit }: PageRequest): Promise<ListPage<AuditRow>> {
    return audit.find({ where, sort: { field: 'seq', direction: order }, limit, ...omitUndefined({ after }) })
  }

  /** Reads of everybody's data by the user are counted with the others, and subtracted. */
  async function count(userId: UserId, everybody: readonly Filter[]): Promise<number> {
    const byUser: Filter = { field: 'actorId', op: 'eq', value: userId }
    const [own, all, reads] = await Promise.all([
      audit.count(about(userId, true)),
      audit.count(everybody),
      audit.total({ where: [...everybody, byUser], sort: { field: 'seq', direction: 'asc' } }),
    ])
    return own + all - reads
  }

  async function* rows(userId: UserId): AsyncGenerator<AuditRow> {
    const first = await firstAbout(userId)
    const walk = (where: readonly Filter[]) => audit.walk({ where, sort: { field: 'seq', direction: 'asc' } })
    for (const listed of [true, false]) yield* walk(about(userId, listed))
    for await (const row of walk(atEverybody(first))) if (row.actorId !== userId) yield row
    for (const listed of [true, false]) {
      for await (const row of walk(doneBy(userId, listed))) if (row.subjectId !== userId) yield row
    }
    yield* walk([
      { field: 'type', op: 'eq', value: 'LoginsExpired' },
      { field: 'seq', op: 'gte', value: first },
    ])
  }

  return {
    async list(userId, order, page) {
      const everybody = atEverybody(await firstAbout(userId))
      const { items, next } = merged(await find(about(userId, true), order, page), await find(everybody, order, page), {
        order,
        limit: page.limit,
      })
      const others = items.filter(({ subjectId, actorId }) => subjectId !== EVERYBODY || actorId !== userId)
      const total = await totalOf(page, () => count(userId, everybody))
      return { items: (await opened(deps, others)).map((entry) => withoutOthersPlaces(entry, userId)), next, ...total }
    },

    async *walk(userId) {
      for await (const row of rows(userId)) {
        const [entry] = await opened(deps, [withoutOthersData(row, userId)])
        if (entry) yield { row, entry: withoutOthersPlaces(entry, userId) }
      }
    },
  }
}

const about = (userId: UserId, listed: boolean): readonly Filter[] => [
  { field: 'listed', op: 'eq', value: listed },
  { field: 'subjectId', op: 'eq', value: userId },
]

const atEverybody = (first: number): readonly Filter[] => [
  { field: 'listed', op: 'eq', value: true },
  { field: 'subjectId', op: 'eq', value: EVERYBODY },
  { field: 'seq', op: 'gte', value: first },
]

const doneBy = (userId: UserId, listed: boolean): readonly Filter[] => [
  { field: 'listed', op: 'eq', value: listed },
  { field: 'actorId', op: 'eq', value: userId },
]

/** Merges pages of two lists after the same place: the result ends where one of them stopped. */
function merged(
  one: ListPage<AuditRow>,
  other: ListPage<AuditRow>,
  { order, limit }: { readonly order: Order; readonly limit: number },
): ListPage<AuditRow> {
  const sign = order === 'asc' ? 1 : -1
  const [stop = null] = [one.next, other.next].flatMap((next) => next ?? []).toSorted((a, b) => sign * (Number(a.value) - Number(b.value)))
  const inOrder = [...one.items, ...other.items].toSorted((a, b) => sign * (a.seq - b.seq))
  const within = stop === null ? inOrder : inOrder.filter(({ seq }) => sign * (seq - Number(stop.value)) <= 0)
  const items = within.slice(0, limit)
  const last = items.at(-1)
  return { items, next: within.length > limit && last ? { value: last.seq, id: auditRowId(last) } : stop }
}

/** Address and client of another user are that user's data. */
function withoutOthersPlaces(entry: AuditEntry, userId: UserId): AuditEntry {
  const { actor } = entry
  return actor.kind === 'user' && actor.id !== userId ? { ...entry, actor: { ...actor, ip: null, client: null } } : entry
}

/** Names and addresses that the user gave to another account belong to that account. */
function withoutOthersData(row: AuditRow, userId: UserId): AuditRow {
  const own = (value: Json): Json => (typeof value === 'string' && isSealed(value) && subjectOf(value) !== userId ? null : value)
  return { ...row, changes: row.changes.map(({ path, from, to }) => ({ path, from: own(from), to: own(to) })) }
}
