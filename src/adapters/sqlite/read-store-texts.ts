/**
 * Makes the documents of a list from their keys, which an index holds, and from texts in memory. The row of a movie is so wide that its card
 * takes a read or two of the file, and a page 20 times that.
 */
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, Key, Query, StoredDocument } from '../../ports/read-store.ts'
import type { KeptRows, KeptText } from './read-store-kept-rows.ts'
import { columnOf, tableOf } from './read-store-schema.ts'
import type { Statements, Values } from './statements.ts'

interface TextStore {
  readonly rows: KeptRows
  readonly rowsHold: () => boolean
  readonly statements: Statements
}

/** Whether beside one text only the sort value is asked for. */
export const isOfKeys = ({ only = [], unparsed, sort }: Query): boolean =>
  unparsed !== undefined && only.every((member) => member === unparsed || member === sort?.field)

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
    const body = Object.fromEntries(only.map((member) => [member, member === unparsed ? text : value]))
    return { id, at: at as Position, body }
  })
}

/** In the order of the rows. */
function textsOf(store: TextStore, { name }: CollectionSpec, member: string, rows: readonly Values[]): readonly (KeptText | undefined)[] {
  const holds = store.rowsHold()
  const texts = rows.map(([id]) => {
    const kept = holds ? store.rows.getText(name, String(id)) : undefined
    return kept?.member === member ? kept : undefined
  })
  const missing = rows.flatMap(([, n], place) => (texts[place] ? [] : [{ n: Number(n), place }]))
  if (missing.length === 0) return texts
  const sql = `select c.id, c.at, c.${columnOf(member)} from json_each(?) as j cross join ${tableOf(name)} as c on c.n = j.value`
  const read = store.statements.rows(sql, [JSON.stringify(missing.map(({ n }) => n))])
  for (const [index, [id, at, text]] of read.entries()) {
    const found = { member, at: String(at), text: typeof text === 'string' ? text : null }
    texts[missing[index]?.place ?? 0] = found
    if (holds) store.rows.putText(name, String(id), found)
  }
  return texts
}
