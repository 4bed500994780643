/** Reads from the audit view the events of the log that it knows, for a witness to compare. */
import type { ReadModels } from '../read-models/read-models.ts'
import type { KnownEvents } from './log-witness.ts'

/** Call it before reading the head of the log: then no event in the view can be beyond the head. */
export async function knownEvents({ audit }: Pick<ReadModels, 'audit'>): Promise<KnownEvents> {
  const { items } = await audit.find({ sort: { field: 'seq', direction: 'desc' }, only: ['seq'], limit: 1 })
  return {
    size: items[0]?.seq ?? 0,
    async leaves(seq, count) {
      const where = [{ field: 'seq', op: 'gte', value: seq }] as const
      const page = await audit.find({ where, sort: { field: 'seq', direction: 'asc' }, only: ['leafHash'], limit: count })
      return page.items.map(({ leafHash }) => leafHash)
    },
    async place(seq) {
      const where = [{ field: 'seq', op: 'gte', value: seq }] as const
      const [row] = (await audit.find({ where, sort: { field: 'seq', direction: 'asc' }, limit: 1 })).items
      return row && { stream: row.stream, revision: row.revision, at: row.at }
    },
  }
}
