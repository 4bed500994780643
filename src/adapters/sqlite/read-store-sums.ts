/** Groups, counts and adds up documents in SQLite. */
import type { SQLOutputValue } from 'node:sqlite'
import { GROUPS_MAX, TooManyGroups, type Bucket, type CollectionSpec, type Sum, type Sums } from '../../ports/read-store.ts'
import { allOf, condition, fragment, type Fragment } from './read-store-filters.ts'
import { columnOf, tableOf } from './read-store-schema.ts'
import type { Values } from './statements.ts'

/** Rows of bucket, keys, count and sum. */
export function sumsOf({ name }: CollectionSpec, { where = [], by = [], bucket, of }: Sums): Fragment {
  const place = bucket ? placeOf(bucket) : fragment('null')
  const conditions = allOf(where.map((filter) => condition(name, filter, 'c')))
  const keys = by.map((field) => `c.${columnOf(field)}`)
  const groups = [...(bucket ? ['b'] : []), ...keys]
  const grouped = groups.length > 0 ? `group by ${groups.join(', ')}` : 'having count(*) > 0'
  const columns = [`${place.sql} as b`, ...keys, 'count(*)', `total(c.${columnOf(of)})`]
  const sql = `select ${columns.join(', ')} from ${tableOf(name)} as c where ${conditions.sql} ${grouped} limit ${GROUPS_MAX + 1}`
  return fragment(sql, ...place.values, ...conditions.values)
}

function placeOf({ field, offset, width, cycle }: Bucket): Fragment {
  const place = fragment(`cast(floor((c.${columnOf(field)} + ?) / ?) as integer)`, offset, width)
  if (cycle === undefined) return place
  return fragment(`((${place.sql} % ${cycle}) + ${cycle}) % ${cycle}`, ...place.values)
}

/** @throws TooManyGroups */
export function readSums(spec: CollectionSpec, { by = [] }: Sums, rows: readonly Values[]): readonly Sum[] {
  if (rows.length > GROUPS_MAX) throw new TooManyGroups(spec.name)
  return rows.map(([bucket, ...rest]) => ({
    bucket: typeof bucket === 'number' ? bucket : null,
    keys: by.map((field, n) => keyOf(spec, field, rest[n])),
    count: Number(rest.at(-2)),
    sum: Number(rest.at(-1)),
  }))
}

function keyOf({ fields }: CollectionSpec, field: string, value: SQLOutputValue | undefined): Sum['keys'][number] {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return fields[field] === 'boolean' ? value === 1 : value
}
