import t from 'tap'
import { startServer } from '../http-server.ts'

t.test('administrators see version, health and settings of the node that answers', async (t) => {
  const settings = [{ name: 'MARQUEE_PORT', value: '8420', isSet: true, meaning: 'Port to listen on.' }]
  const server = await startServer(t, { config: { settings } })
  const answer = await server.ask('GET', '/v1/admin/server')
  t.match([answer.status, answer.json()], [200, { nodeVersion: process.version, ready: true, reason: null, warnings: [], settings }])
  t.ok(answer.json<{ memoryBytes: number }>().memoryBytes > 10_000_000)
})

t.test('a server that is not ready says why, and still answers', async (t) => {
  const reason = 'No answer from EventStoreDB'
  const server = await startServer(t, { ready: () => ({ ready: false, reason }) })
  t.match((await server.ask('GET', '/v1/admin/server')).json(), { ready: false, reason, settings: [] })
})
