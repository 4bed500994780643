/** Libraries for administrators: their folders, scans, missing films, and what can be done with them. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { RequestFailed } from '../api/problems.ts'
import type { components } from '../api/schema.d.ts'
import { queryClient, type Context } from './query-client.ts'

type Schemas = components['schemas']
export type Library = Schemas['Library']
export type Scan = Schemas['Scan']
export type ScanChange = Schemas['ScanChange']

const MOST = 100

export const libraryQuery = (id: string) => ({
  queryKey: ['library', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/libraries/{id}', { params: { path: { id } }, signal })),
})

/** The scan that runs, or the last one; null: there was none. */
export const scanQuery = (id: string) => ({
  queryKey: ['scan', id],
  queryFn: async ({ signal }: Context): Promise<Scan | null> => {
    const answer = await answerOf(api.GET('/v1/libraries/{id}/scan', { params: { path: { id } }, signal }))
    if (answer.ok) return answer.value
    if (answer.problem.status === 404) return null
    throw new RequestFailed(answer.problem)
  },
})

/** Newest first. */
export const scansQuery = (id: string, limit: number) => ({
  queryKey: ['scans', id, String(limit)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/libraries/{id}/scans', { params: { path: { id }, query: { limit } }, signal })),
})

export interface ScanChanges {
  readonly items: readonly ScanChange[]
  readonly hasMore: boolean
}

/** Pages may be shorter than asked for, or empty. */
const CHANGE_PAGES = 10

/** The first hundred or so. */
export const scanChangesQuery = (libraryId: string, scanId: string) => ({
  queryKey: ['scan-changes', scanId],
  queryFn: async ({ signal }: Context): Promise<ScanChanges> => {
    const items: ScanChange[] = []
    let cursor: string | null = null
    for (let page = 0; page < CHANGE_PAGES && items.length < MOST; page++) {
      const read: Schemas['ScanChangePage'] = await valueOf(
        api.GET('/v1/libraries/{id}/scans/{scanId}/changes', {
          params: { path: { id: libraryId, scanId }, query: { limit: MOST, ...(cursor === null ? {} : { cursor }) } },
          signal,
        }),
      )
      items.push(...read.items)
      cursor = read.nextCursor
      if (cursor === null) break
    }
    return { items, hasMore: cursor !== null }
  },
})

/** Films whose files are not there. Its key is one of lists of films: what changes those makes it old. */
export const missingQuery = (id: string) => ({
  queryKey: ['movies', JSON.stringify({ libraryId: [id] }), 'missing'],
  queryFn: ({ signal }: Context) =>
    valueOf(api.GET('/v1/movies', { params: { query: { libraryId: [id], availability: 'missing', limit: MOST, view: 'card' } }, signal })),
})

export const removedLibrariesQuery = {
  queryKey: ['libraries', 'removed'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/admin/libraries/removed', { signal })),
}

/** Folders in a folder of the server's machine; '': where one begins to look. */
export const foldersQuery = (path: string) => ({
  queryKey: ['folders', path],
  staleTime: 0,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/admin/folders', { params: { query: path === '' ? {} : { path } }, signal })),
})

export interface NewLibrary {
  readonly name: string
  readonly path: string
}

export type LibraryChange = NonNullable<Parameters<typeof changeRequest>[1]>

export const createLibrary = ({ name, path }: NewLibrary): Promise<Answer<Library>> =>
  answerOf(api.POST('/v1/libraries', { body: { name, paths: [path] } }))

const changeRequest = (id: string, body: Partial<Pick<Library, 'name' | 'language' | 'settings'>> & { readonly paths?: string[] }) =>
  api.PATCH('/v1/libraries/{id}', { params: { path: { id } }, body })

export async function changeLibrary(id: string, change: LibraryChange): Promise<Answer<Library>> {
  const answer = await answerOf(changeRequest(id, change))
  if (answer.ok) queryClient.setQueryData(['library', id], answer.value)
  return answer
}

export const removeLibrary = (id: string): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.DELETE('/v1/libraries/{id}', { params: { path: { id } } }))

export const restoreLibrary = (id: string): Promise<Answer<Library>> =>
  answerOf(api.POST('/v1/admin/libraries/{id}/restore', { params: { path: { id } }, body: {} }))

export async function startScan(id: string, mode: Scan['mode']): Promise<Answer<Scan>> {
  const answer = await answerOf(api.POST('/v1/libraries/{id}/scan', { params: { path: { id } }, body: { mode } }))
  if (answer.ok) queryClient.setQueryData(['scan', id], answer.value)
  return answer
}

export const cancelScan = (id: string): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.DELETE('/v1/libraries/{id}/scan', { params: { path: { id } } }))
