/**
 * Cuts overlong lists before validation: to one item more than their schema allows. The request is still rejected, and the cost of
 * rejecting it depends on the schema, not on the request.
 */

interface ListSchema {
  readonly type?: string | readonly string[]
  readonly maxItems?: number
  readonly items?: ListSchema
  readonly properties?: Readonly<Record<string, ListSchema>>
}

/** The value, with each list cut to `maxItems` + 1 if its schema has `maxItems`. A copy if anything was cut, otherwise the same object. */
export function boundLists(schema: ListSchema, value: unknown): unknown {
  if (Array.isArray(value)) return boundItems(schema, value)
  if (typeof value !== 'object' || value === null) return value
  const cut = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const before: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    const after = boundLists(member, before)
    return after === before ? [] : [[name, after] as const]
  })
  return cut.length === 0 ? value : { ...value, ...Object.fromEntries(cut) }
}

function boundItems({ maxItems = Infinity, items }: ListSchema, value: readonly unknown[]): unknown {
  const isLong = value.length > maxItems
  const kept = isLong ? value.slice(0, maxItems + 1) : value
  const bounded = items ? kept.map((item) => boundLists(items, item)) : kept
  return isLong || bounded.some((item, at) => item !== kept[at]) ? bounded : value
}
