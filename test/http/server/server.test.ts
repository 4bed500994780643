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

t.test('the last backup is shown to administrators, and its time at /readyz, once there is one', async (t) => {
  const lastSuccessAt = Date.parse('2026-01-02T12:00:00.000Z')
  const backup = { lastSuccessAt, lastEvents: 812, lastFailure: 'The disk is full' }
  const server = await startServer(t, { backup: () => backup })
  const shown = { ...backup, lastSuccessAt: '2026-01-02T12:00:00.000Z' }
  t.match((await server.ask('GET', '/v1/admin/server')).json(), { backup: shown })
  t.strictSame((await server.ask('GET', '/readyz')).json(), { status: 'ready', lastBackupAt: shown.lastSuccessAt })

  const without = await startServer(t, {})
  const none = { lastSuccessAt: null, lastEvents: null, lastFailure: null }
  t.match((await without.ask('GET', '/v1/admin/server')).json(), { backup: none })
  t.strictSame((await without.ask('GET', '/readyz')).json(), { status: 'ready' })
})

t.test('administrators see the transcode agents that this node has heard of, with the encoders that passed their test', async (t) => {
  const encoders = [{ name: 'h264_vaapi', framesPerSecond: 412 }]
  const agent = { agentId: 'attic', version: '7.1', slots: 4, free: 2.5, load: 0.3, encoders, leaving: false }
  const server = await startServer(t, { agents: () => [agent, { ...agent, agentId: 'cellar', encoders: null, leaving: true }] })
  const { agents } = (await server.ask('GET', '/v1/admin/server')).json<{ agents: unknown }>()
  const shown = { ffmpegVersion: '7.1', slots: 4, freeSlots: 2.5, load: 0.3 }
  t.strictSame(agents, [
    { name: 'attic', ...shown, encoders, leaving: false },
    { name: 'cellar', ...shown, encoders: null, leaving: true },
  ])
})

t.test('the space that cached segments take is shown beside its limit', async (t) => {
  const cache = { usedBytes: 4096, limitBytes: 10_000 }
  const server = await startServer(t, { cache: () => cache })
  t.match((await server.ask('GET', '/v1/admin/server')).json(), { cache })
  t.match((await (await startServer(t)).ask('GET', '/v1/admin/server')).json(), { cache: null })
})
