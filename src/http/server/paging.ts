/** Implements paging: the query parameters of every list, and the format of every page. */
import { Type } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { ListPage, PagePoint, PageRequest } from '../../app/read-models/page.ts'
import type { CursorScope, Cursors } from './cursors.ts'
import { invalid } from './errors.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** Also for lists that are always one page. */
export const TOTAL_QUERY = {
  include: Type.Optional(Type.Enum(['total'], { description: '`total`: add the number of items on all pages.' })),
}

export const PAGE_QUERY = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: '`nextCursor` of the page before. Filters and order must be the same.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT, description: 'Maximum number of items.' })),
  ...TOTAL_QUERY,
}

interface TotalQuery {
  readonly include?: 'total'
}

interface PageQuery extends TotalQuery {
  readonly cursor?: string
  readonly limit?: number
}

/** `total` only if it was requested. */
interface ShownPage<Shown> {
  readonly items: Shown[]
  readonly nextCursor: string | null
  readonly total?: number
}

export interface Paging {
  /** The page request for a service. `name` of the parameter: `cursor`. @throws HttpError 422 for a cursor of another list */
  read(query: PageQuery, scope: CursorScope, name?: string): PageRequest
  /** Cursor of the page that continues after the point. */
  cursorOf(point: PagePoint, scope: CursorScope): string
  /** The response: presented items, and the cursor of the next page. */
  page<Item, Shown>(page: ListPage<Item>, scope: CursorScope, show: (item: Item) => Shown): ShownPage<Shown>
}

export function createPaging(cursors: Cursors): Paging {
  return {
    read({ cursor, limit = LIMIT_DEFAULT, include }, scope, name = 'cursor') {
      const asked = { limit, ...(include === 'total' ? { counted: true } : {}) }
      if (cursor === undefined) return asked
      const after = cursors.decode(cursor, scope)
      if (!after) throw invalid([{ path: name, message: 'is not a cursor of this list' }])
      return { after, ...asked }
    },
    cursorOf: (point, scope) => cursors.encode(point, scope),
    page: ({ items, next, total }, scope, show) => ({
      items: items.map(show),
      nextCursor: next && cursors.encode(next, scope),
      ...omitUndefined({ total }),
    }),
  }
}

/** A list that is always one page. */
export const wholePage = <Shown>(items: Shown[], { include }: TotalQuery): ShownPage<Shown> => ({
  items,
  nextCursor: null,
  ...(include === 'total' ? { total: items.length } : {}),
})
