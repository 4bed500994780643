/** Serves the health checks: whether the process is alive, and whether it is ready. */
import { Type, type Static } from 'typebox'
import type { App, RouteContext } from './app.ts'
import { unavailable } from './errors.ts'
import { operation } from './operation.ts'

const RETRY_SECONDS = 2
const schema = Type.Object({ status: Type.String() })
const readySchema = Type.Object({
  status: Type.String(),
  lastBackupAt: Type.Optional(Type.String({ description: 'When the last backup began that succeeded; left out if none is known.' })),
  warnings: Type.Optional(Type.Array(Type.String(), { description: 'What is missing although the server answers requests.' })),
})
const config = { servedWhileStale: true } as const

const GET_HEALTH = operation({
  id: 'getHealth',
  tag: 'health',
  summary: 'Check that the process is alive',
  by: 'anyone',
  answers: { 200: { description: 'The process is alive.', schema } },
})

const GET_READINESS = operation({
  id: 'getReadiness',
  tag: 'health',
  summary: 'Check that the server is ready',
  by: 'anyone',
  answers: { 200: { description: 'The server is ready, and what it shows is up to date.', schema: readySchema } },
})

export function addHealthRoutes(app: App, { backup, ready }: RouteContext): void {
  app.route({
    method: 'GET',
    url: '/healthz',
    config,
    schema: GET_HEALTH,
    handler: async () => ({ status: 'ok' }),
  })

  app.route({
    method: 'GET',
    url: '/readyz',
    config,
    schema: GET_READINESS,
    handler: async (_request, reply) => {
      const readiness = await ready()
      if (!readiness.ready) throw unavailable(readiness.reason, RETRY_SECONDS)
      const { lastSuccessAt } = backup()
      const answer = {
        status: 'ready',
        ...(lastSuccessAt === null ? {} : { lastBackupAt: new Date(lastSuccessAt).toISOString() }),
        ...(readiness.warnings ? { warnings: [...readiness.warnings] } : {}),
      } satisfies Static<typeof readySchema>
      // It is the first answer of every start, which should not wait until a serializer is compiled for it.
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
    },
  })
}
