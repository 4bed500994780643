/** Implements paging: the two query parameters of every list, and the format of every page. */
import { Type } from 'typebox'
import type { ListPage, PagePoint, PageRequest } from '../../app/read-models/page.ts'
import type { CursorScope, Cursors } from './cursors.ts'
import { invalid } from './errors.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

export const PAGE_QUERY = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: '`nextCursor` of the page before. Filters and order must be the same.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT, description: 'Maximum number of items.' })),
}

interface PageQuery {
  readonly cursor?: string
  readonly limit?: number
}

export interface Paging {
  /** The page request for a service. `name` of the parameter: `cursor`. @throws HttpError 422 for a cursor of another list */
  read(query: PageQuery, scope: CursorScope, name?: string): PageRequest
  /** Cursor of the page that continues after the point. */
  cursorOf(point: PagePoint, scope: CursorScope): string
  /** The response: presented items, and the cursor of the next page. */
  page<Item, Shown>(page: ListPage<Item>, scope: CursorScope, show: (item: Item) => Shown): { items: Shown[]; nextCursor: string | null }
}

export function createPaging(cursors: Cursors): Paging {
  return {
    read({ cursor, limit = LIMIT_DEFAULT }, scope, name = 'cursor') {
      if (cursor === undefined) return { limit }
      const after = cursors.decode(cursor, scope)
      if (!after) throw invalid([{ path: name, message: 'is not a cursor of this list' }])
      return { after, limit }
    },
    cursorOf: (point, scope) => cursors.encode(point, scope),
    page: ({ items, next }, scope, show) => ({ items: items.map(show), nextCursor: next && cursors.encode(next, scope) }),
  }
}
