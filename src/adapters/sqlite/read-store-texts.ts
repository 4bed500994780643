/**
 * Makes the documents of a list from their keys, which an index holds, and from texts in memory. The row of a movie is so wide that its card
 * takes a read or two of the file, and a page 20 times that.
 */
import type { Json } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, Key, Query, StoredDocument } from '../../ports/read-store.ts'
import type { KeptRows } from './read-store-kept-rows.ts'
import type { KeptText } from './read-store-kept-texts.ts'
import { columnOf, tableOf } from './read-store-schema.ts'
import type { Statements, Values } from './statements.ts'

export interface TextStore {
  readonly rows: KeptRows
  /** Whether no other connection has written since the rows were kept. */
  readonly rowsHold: () => boolean
  readonly statements: Statements
}

/** Whether beside one text only the sort value is asked for. */
const isOfKeys = ({ only = [], unparsed, sort }: Query): boolean =>
  unparsed !== undefined && only.every((member) => member === unparsed || member === sort?.field)

/** Whether to read a page's keys alone: most of its texts are probably here. */
export const readsKeys = (store: TextStore, { name }: CollectionSpec, query: Query): boolean =>
  isOfKeys(query) && store.rows.textsOf(name).isHelpful() && store.rowsHold()

/** The documents with these ids, by id, if only their text is asked for, and all of these are here. */
export function documentsOfTexts(store: TextStore, { name }: CollectionSpec, query: Query): readonly StoredDocument[] | undefined {
  const { where = [], sort, after, among, only = [], unparsed: member = '', limit } = query
  if (!among || !isOfKeys(query) || only.length === 0 || where.length > 0 || sort || after || among.length > limit) return undefined
  const texts = store.rows.textsOf(name)
  if (!texts.isHelpful() || !store.rowsHold()) return undefined
  const found: StoredDocument[] = []
  for (const id of new Set(among)) {
    const kept = texts.get(id)
    if (kept?.member !== member) return undefined
    found.push({ id, at: kept.at as Position, body: { [member]: kept.text } })
  }
  texts.noted(found.length, found.length)
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Keeps the texts of a page that was read as a whole. */
export function keepTexts({ rows, rowsHold }: TextStore, { name }: CollectionSpec, query: Query, page: readonly StoredDocument[]): void {
  const { unparsed: member = '' } = query
  if (!isOfKeys(query) || page.length === 0 || !rowsHold()) return
  const texts = rows.textsOf(name)
  let there = 0
  for (const { id, at, body } of page) {
    const text = body[member]
    if (texts.get(id)?.member === member) there++
    else if (typeof text === 'string' || text === null) texts.put(id, { member, text, at })
  }
  texts.noted(there, page.length)
}

/** @param rows `id, n, k`, as `keyOf` reads them */
export function documentsOfKeys(
  store: TextStore,
  spec: CollectionSpec,
  { only = [], unparsed = '' }: Query,
  { rows, keyOf }: { readonly rows: readonly Values[]; readonly keyOf: (row: Values) => Key },
): readonly StoredDocument[] {
  const texts = textsOf(store, spec, unparsed, rows)
  return rows.map((row, place) => {
    const { value, id } = keyOf(row)
    const { text, at } = texts[place] as KeptText
    const body: Record<string, Json> = {}
    for (const member of only) body[member] = member === unparsed ? text : value
    return { id, at: at as Position, body }
  })
}

/** In the order of the rows. */
function textsOf(store: TextStore, { name }: CollectionSpec, member: string, rows: readonly Values[]): readonly (KeptText | undefined)[] {
  const texts = store.rows.textsOf(name)
  const found = rows.map(([id]) => {
    const kept = texts.get(String(id))
    return kept?.member === member ? kept : undefined
  })
  const missing = rows.flatMap(([, n], place) => (found[place] ? [] : [{ n: Number(n), place }]))
  texts.noted(rows.length - missing.length, rows.length)
  if (missing.length === 0) return found
  const sql = `select c.id, c.at, c.${columnOf(member)} from json_each(?) as j cross join ${tableOf(name)} as c on c.n = j.value`
  const read = store.statements.rows(sql, [JSON.stringify(missing.map(({ n }) => n))])
  for (const [index, [id, at, value]] of read.entries()) {
    const text = { member, at: String(at), text: typeof value === 'string' ? value : null }
    found[missing[index]?.place ?? 0] = text
    texts.put(String(id), text)
  }
  return found
}
