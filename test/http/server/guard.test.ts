import cookie from '@fastify/cookie'
import fastify from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import t from 'tap'
import { addAuthentication } from '../../../src/http/server/guard.ts'
import { addErrorHandler } from '../../../src/http/server/error-handler.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { operation } from '../../../src/http/server/operation.ts'
import { createFakeServices } from '../../fixtures/fake-services/services.ts'
import { ADMIN_TOKEN } from '../../fixtures/samples.ts'

const operated = (by: 'anyone' | 'admins' | 'users') => operation({ id: by, tag: 'test', summary: by, by, answers: {} })

const NO_OPERATORS = { callerOf: () => undefined }

async function openApp() {
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
  await app.register(cookie)
  addErrorHandler(app, createTestClock())
  addAuthentication(app, { services: createFakeServices(), publicUrl: undefined, operators: NO_OPERATORS }, async () => {})
  return app
}

t.test('an operation that defines its callers is guarded by just that', async (t) => {
  const app = await openApp()
  for (const by of ['anyone', 'users', 'admins'] as const) {
    app.route({ method: 'GET', url: `/${by}`, schema: operated(by), handler: async () => 'done' })
  }
  const statusOf = async (url: string, headers = {}) => (await app.inject({ method: 'GET', url, headers })).statusCode
  t.equal(await statusOf('/anyone'), 200)
  t.equal(await statusOf('/users'), 401)
  t.equal(await statusOf('/admins'), 401)
  t.equal(await statusOf('/admins', { authorization: `Bearer ${ADMIN_TOKEN}` }), 200)
})

t.test('a route that defines its callers a second time cannot be added', async (t) => {
  const app = await openApp()
  const route = { method: 'GET', url: '/x', config: { access: 'public' }, schema: operated('admins'), handler: async () => 'done' } as const
  t.throws(() => app.route(route), /its operation defines who may call it/)
})
