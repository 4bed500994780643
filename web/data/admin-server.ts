/** The server for administrators: health, settings, agents, and projections with their rebuilding. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import type { components } from '../api/schema.d.ts'
import { queryClient, type Context } from './query-client.ts'

type Schemas = components['schemas']
export type ServerInfo = Schemas['ServerInfo']
export type Projection = Schemas['Projection']
export type ProjectionPage = Schemas['ProjectionPage']

/** Memory and load change all the time: it is asked for each time that the page is opened. */
export const serverQuery = {
  queryKey: ['server'],
  staleTime: 0,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/admin/server', { signal })),
}

export const projectionsQuery = {
  queryKey: ['projections'],
  staleTime: 0,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/admin/projections', { signal })),
}

/** Events show how it goes on. */
export async function rebuildProjection(name: string): Promise<Answer<Projection>> {
  const answer = await answerOf(api.POST('/v1/admin/projections/{name}/rebuild', { params: { path: { name } } }))
  if (answer.ok) {
    queryClient.setQueryData<ProjectionPage>(
      ['projections'],
      (page) => page && { ...page, items: page.items.map((one) => (one.name === name ? answer.value : one)) },
    )
  }
  return answer
}
