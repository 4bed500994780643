/**
 * Checks that every read store applies, so that no engine answers a query that another could not serve. It refuses fields that the
 * collection does not declare, operations that do not fit a field's type, and sorts without an index. All of these are programming errors.
 */
import type { Json } from '../../events/envelope.ts'
import type { Bucket, CollectionSpec, Commit, FieldType, Filter, KeyQuery, Query, Sort, Sums, TallyRange } from '../../ports/read-store.ts'

const NAME = /^[a-z][a-z0-9_]*$/
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/
const MAX_LIMIT = 1_000
const MAX_KEYS = 10_000
export const MAX_VALUES = 1_000
export const DEFAULT_SCAN = 2_000

const FITTING: Readonly<Record<Filter['op'], readonly FieldType[]>> = {
  eq: ['text', 'number', 'boolean'],
  in: ['text', 'number'],
  gt: ['text', 'number'],
  gte: ['text', 'number'],
  lt: ['text', 'number'],
  lte: ['text', 'number'],
  prefix: ['text'],
  has: ['list'],
  tokens: ['tokens'],
}

export function checkSpec({ name, fields, indexes, unique = [], sparse = [] }: CollectionSpec): void {
  demand(NAME.test(name), `"${name}" is no name of a collection`)
  const names = Object.keys(fields)
  const strange = names.find((field) => !FIELD.test(field))
  demand(strange === undefined, `${name}: "${strange}" is no name of a field`)
  demand(new Set(names.map((field) => field.toLowerCase())).size === names.length, `${name}: two fields differ only in case`)
  for (const index of indexes) {
    demand(index.length > 0 && new Set(index).size === index.length, `${name}: an index needs fields, each once`)
    for (const field of index) demand(isScalar(fields[field]), `${name}: ${field} cannot stand in an index`)
  }
  for (const field of [...unique, ...sparse]) demand(isScalar(fields[field]), `${name}: ${field} is no field of an index`)
}

export function checkQuery(spec: CollectionSpec, query: Query): void {
  checkFilters(spec, query.where ?? [])
  demand(isBetween(query.limit, 1, MAX_LIMIT), `${spec.name}: limit ${query.limit} is not between 1 and ${MAX_LIMIT}`)
  checkIds(query.among ?? [])
  checkMembers(spec, query.only)
  demand(query.scan === undefined || isBetween(query.scan, 1, Number.MAX_SAFE_INTEGER), `${spec.name}: scan ${query.scan}`)
}

export function checkKeyQuery(spec: CollectionSpec, { where = [], among = [], scan }: KeyQuery): void {
  checkFilters(spec, where)
  checkIds(among)
  demand(isBetween(scan, 1, MAX_KEYS), `${spec.name}: scan ${scan} is not between 1 and ${MAX_KEYS}`)
}

export function checkMembers({ name, fields }: CollectionSpec, only: readonly string[] | undefined): void {
  const undeclared = only?.find((field) => fields[field] === undefined)
  demand(undeclared === undefined, `${name} has no field ${undeclared} to read alone`)
}

export function checkTally({ name, fields }: CollectionSpec, field: string, { limit }: TallyRange): void {
  demand(fields[field] === 'tally', `${name}: ${field} is not counted`)
  demand(isBetween(limit, 1, MAX_LIMIT), `${name}: limit ${limit} is not between 1 and ${MAX_LIMIT}`)
}

const KEYS_MAX = 3

export function checkSums(spec: CollectionSpec, { where = [], by = [], bucket, of }: Sums): void {
  checkFilters(spec, where)
  demand(by.length <= KEYS_MAX, `${spec.name}: groups of ${by.length} fields, ${KEYS_MAX} are allowed`)
  const listed = by.find((field) => !isScalar(spec.fields[field]))
  demand(listed === undefined, `${spec.name}: ${listed} makes no groups`)
  const odd = [of, bucket?.field ?? of].find((field) => spec.fields[field] !== 'number')
  demand(odd === undefined, `${spec.name}: ${odd} is no number`)
  const { offset = 0, width = 1, cycle = 1 } = bucket ?? {}
  demand(Number.isInteger(offset) && isBetween(width, 1, Number.MAX_SAFE_INTEGER), `${spec.name}: no such bucket`)
  demand(isBetween(cycle, 1, Number.MAX_SAFE_INTEGER), `${spec.name}: no such cycle`)
}

/** The bucket of a value; null for null. */
export function bucketOf(value: Json | undefined, bucket: Bucket | undefined): number | null {
  if (!bucket || typeof value !== 'number') return null
  const { offset, width, cycle } = bucket
  const place = Math.floor((value + offset) / width)
  return cycle === undefined ? place : ((place % cycle) + cycle) % cycle
}

export function checkFilters(spec: CollectionSpec, where: readonly Filter[]): void {
  for (const filter of where) {
    const { field, op } = filter
    const type = spec.fields[field]
    const isNull = op === 'eq' && filter.value === null
    if (type === undefined) throw new TypeError(`${spec.name} has no field ${field} to filter by`)
    demand(isNull || FITTING[op].includes(type), `${spec.name}: ${op} does not fit ${field}, a ${type}`)
    const values = valuesOf(filter)
    demand(values.length <= MAX_VALUES, `${spec.name}: ${values.length} values for ${field}, ${MAX_VALUES} are allowed`)
    const fits = isNull || op === 'has' || values.every((value) => typeof value === (JS_TYPES[type] ?? 'string'))
    demand(fits, `${spec.name}: a value for ${field} is no ${type}`)
  }
}

function valuesOf(filter: Filter): readonly unknown[] {
  return 'values' in filter ? filter.values : 'words' in filter ? filter.words : [filter.value]
}

export function checkIds(ids: readonly string[]): void {
  demand(ids.length <= MAX_VALUES, `${ids.length} ids at once, ${MAX_VALUES} are allowed`)
}

/**
 * The index that yields the query's order: its last field is the sort field (without a sort: any field), and `eq` filters fix the fields
 * before it. The longest such index; undefined if only the order of ids is available.
 */
export function servingIndex(spec: CollectionSpec, where: readonly Filter[], sort: Sort | undefined): readonly string[] | undefined {
  const fixed = new Set(where.filter(({ op }) => op === 'eq').map(({ field }) => field))
  const serving = spec.indexes.filter((index) => {
    const mustBeFixed = sort ? index.slice(0, -1) : index
    if (isSparse(spec, index) && where.some((filter) => filter.field === index[0] && seeksNull(filter))) return false
    return (!sort || index.at(-1) === sort.field) && mustBeFixed.every((field) => fixed.has(field))
  })
  demand(!sort || serving.length > 0, `${spec.name}: no index serves a sort by ${sort?.field} with these filters`)
  return serving.reduce<readonly string[] | undefined>((best, index) => (best && best.length >= index.length ? best : index), undefined)
}

/** Whether the index may lack the documents that have no value for its first field. */
export const isSparse = ({ sparse = [] }: CollectionSpec, index: readonly string[]): boolean =>
  index.length > 1 && sparse.includes(index[0] ?? '')

export const seeksNull = (filter: Filter): boolean => filter.op === 'eq' && filter.value === null

/** The value of a document's member for its column or index; null if missing. */
export function fieldValue(spec: CollectionSpec, { id, body }: Commit['puts'][number], field: string): FieldValue {
  const value = body[field] ?? null
  const type = spec.fields[field]
  const fits = value === null || type === 'json' || (LISTS.has(type) ? isPlainList(value) : typeof value === JS_TYPES[type ?? 'text'])
  if (!fits) throw new TypeError(`${spec.name}: ${field} of ${id} is no ${type}`)
  return value as FieldValue
}

export type FieldValue = string | number | boolean | null | readonly (string | number)[]

const LISTS: ReadonlySet<FieldType | undefined> = new Set(['list', 'tokens', 'tally'])

const JS_TYPES: Readonly<Record<string, string>> = { text: 'string', number: 'number', boolean: 'boolean' }

const isPlainList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')

const isScalar = (type: FieldType | undefined): boolean => type === 'text' || type === 'number' || type === 'boolean'

const isBetween = (value: number, low: number, high: number): boolean => Number.isInteger(value) && value >= low && value <= high

function demand(condition: boolean, message: string): void {
  if (!condition) throw new TypeError(message)
}
