/** Webhooks for administrators: who receives events, and the state of each delivery. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import type { components, operations } from '../api/schema.d.ts'
import { queryClient, type Context } from './query-client.ts'

type Schemas = components['schemas']
export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']
export type DeliveryState = Delivery['state']
type NewWebhook = NonNullable<operations['addWebhook']['requestBody']>['content']['application/json']
export type WebhookChange = NonNullable<operations['changeWebhook']['requestBody']>['content']['application/json']
type Page = operations['listWebhooks']['responses'][200]['content']['application/json']

export const TEMPLATES = ['json', 'ntfy', 'discord', 'slack', 'home-assistant'] as const satisfies readonly Webhook['template'][]

/** No event reports a delivery: they are fetched each time they are opened. */
export const webhooksQuery = {
  queryKey: ['webhooks'],
  staleTime: 0,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/admin/webhooks', { signal })),
}

const PAGE = 20

export const deliveriesQuery = (id: string, state: DeliveryState | undefined) => ({
  queryKey: ['deliveries', id, state ?? ''],
  staleTime: 0,
  initialPageParam: null as string | null,
  getNextPageParam: (last: { readonly nextCursor: string | null }) => last.nextCursor,
  queryFn: ({ signal, pageParam }: Context & { readonly pageParam: string | null }) =>
    valueOf(
      api.GET('/v1/admin/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: { limit: PAGE, ...(state === undefined ? {} : { state }), ...(pageParam === null ? {} : { cursor: pageParam }) },
        },
        signal,
      }),
    ),
})

export const refreshDeliveries = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['deliveries', id] })

const changeList = (change: (items: Page['items']) => Page['items']): unknown =>
  queryClient.setQueryData<Page>(webhooksQuery.queryKey, (page) => page && { ...page, items: change(page.items) })

/** The answer has the secret, which is in no other. */
export async function addWebhook(body: NewWebhook): Promise<Answer<Schemas['NewWebhook']>> {
  const answer = await answerOf(api.POST('/v1/admin/webhooks', { body }))
  if (answer.ok) {
    const { secret: _, ...webhook } = answer.value
    changeList((items) => [...items, webhook])
  }
  return eventsInOne(answer)
}

export async function changeWebhook(id: string, body: WebhookChange): Promise<Answer<Webhook>> {
  const answer = await answerOf(api.PATCH('/v1/admin/webhooks/{id}', { params: { path: { id } }, body }))
  if (answer.ok) changeList((items) => items.map((one) => (one.id === id ? answer.value : one)))
  return eventsInOne(answer)
}

export async function removeWebhook(id: string): Promise<Answer<unknown>> {
  const answer = await answerOf<unknown>(api.DELETE('/v1/admin/webhooks/{id}', { params: { path: { id } } }))
  if (answer.ok || answer.problem.status === 404) changeList((items) => items.filter((one) => one.id !== id))
  return answer
}

export const testWebhook = (id: string): Promise<Answer<Schemas['WebhookTest']>> =>
  answerOf(api.POST('/v1/admin/webhooks/{id}/test', { params: { path: { id } } }))

export async function retryDelivery(id: string, deliveryId: string): Promise<Answer<unknown>> {
  const answer = await answerOf<unknown>(
    api.POST('/v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path: { id, deliveryId } } }),
  )
  await refreshDeliveries(id)
  return answer
}

/** Each kind has a path of its own; they are one field of the form. */
function eventsInOne<T>(answer: Answer<T>): Answer<T> {
  if (answer.ok) return answer
  const { fields } = answer.problem
  const [, wrong] = Object.entries(fields).find(([path]) => path.startsWith('events')) ?? []
  return wrong === undefined ? answer : { ok: false, problem: { ...answer.problem, fields: { ...fields, events: wrong } } }
}
