/** Translates filters of a query into SQL conditions. */
import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '../../events/envelope.ts'
import type { Filter } from '../../ports/read-store.ts'
import { afterPrefix } from '../../vocabulary/code-point-order.ts'
import { columnOf, listTableOf } from './read-store-schema.ts'

/** A piece of SQL with the values of its placeholders. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

export const fragment = (sql: string, ...values: readonly SQLInputValue[]): Fragment => ({ sql, values })

export function allOf(conditions: readonly Fragment[]): Fragment {
  return fragment(conditions.map(({ sql }) => sql).join(' and ') || 'true', ...conditions.flatMap(({ values }) => values))
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
/** A few values are listed one by one, which costs less than a table of them. */
export const NAMED_MAX = 8

function oneOf(values: readonly (string | number)[]): Fragment {
  if (values.length === 0 || values.length > NAMED_MAX) return fragment('in (select value from json_each(?))', JSON.stringify(values))
  return fragment(`in (${values.map(() => '?').join(', ')})`, ...values)
}

/** Condition on the columns of a row of `alias`. */
export function condition(collection: string, filter: Filter, alias: string): Fragment {
  const column = `${alias}.${columnOf(filter.field)}`
  switch (filter.op) {
    case 'eq':
      return filter.value === null ? fragment(`${column} is null`) : fragment(`${column} = ?`, sqlValue(filter.value))
    case 'in':
      return fragment(`${column} ${oneOf(filter.values).sql}`, ...oneOf(filter.values).values)
    case 'prefix':
      return startsWith(column, filter.value)
    case 'has':
    case 'tokens':
      return heldBy(
        column,
        listed(collection, filter).map((source) => holds(source, alias)),
      )
    default:
      return fragment(`${column} ${OPERATORS[filter.op]} ?`, filter.value)
  }
}

/** The same for counting all documents: the matches of lists are gathered once, instead of being looked up for each row. */
export function countCondition(collection: string, filter: Filter, alias: string): Fragment {
  if (filter.op !== 'has' && filter.op !== 'tokens') return condition(collection, filter, alias)
  const named = listed(collection, filter).map(({ sql, values }) => fragment(`${alias}.n in (${sql})`, ...values))
  return heldBy(`${alias}.${columnOf(filter.field)}`, named)
}

/** Without conditions, all documents that have a list. With conditions that check is omitted: a document with matches has a list. */
const heldBy = (column: string, conditions: readonly Fragment[]): Fragment =>
  conditions.length > 0 ? allOf(conditions) : fragment(`${column} is not null`)

const holds = ({ sql, values }: Fragment, alias: string): Fragment => fragment(`exists (${sql} and n = ${alias}.n)`, ...values)

/** For each word, or for all values together: the documents (`n`) whose list matches. */
export function listed(collection: string, filter: Extract<Filter, { op: 'has' | 'tokens' }>): readonly Fragment[] {
  const rows = `select n from ${listTableOf(collection, filter.field)} where`
  if (filter.op === 'has') return [fragment(`${rows} value ${oneOf(filter.values).sql}`, ...oneOf(filter.values).values)]
  return filter.words.map((word) => {
    const { sql, values } = startsWith('value', word)
    return fragment(`${rows} ${sql}`, ...values)
  })
}

export const sqlValue = (value: Json): string | number | null =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'string' || typeof value === 'number' ? value : null

/** As a range, which an index serves: from the prefix up to the first text after all those that start with it. */
export function startsWith(column: string, prefix: string): Fragment {
  const end = afterPrefix(prefix)
  return end === undefined ? fragment(`${column} >= ?`, prefix) : fragment(`${column} >= ? and ${column} < ?`, prefix, end)
}
