/** Serves information about the server, for administrators. */
import type { App, RouteContext, ShownAgent, ShownBackup } from './app.ts'
import { operation } from './operation.ts'
import { ServerInfo } from './server-schemas.ts'
import { refTo } from './values-schemas.ts'

const GET_SERVER = operation({
  id: 'getServer',
  tag: 'server',
  by: 'admins',
  summary: 'Get version, health and settings of the server',
  description: 'Of the node that answers. Secrets are left out.',
  answers: { 200: { description: 'The server.', schema: refTo(ServerInfo) } },
})

export function addServerRoutes(app: App, { agents, backup, cache, clock, ready, settings, version }: RouteContext): void {
  app.route({
    method: 'GET',
    url: '/v1/admin/server',
    config: { servedWhileStale: true },
    schema: GET_SERVER,
    handler: async () => {
      const readiness = await ready()
      return {
        version,
        nodeVersion: process.version,
        startedAt: new Date(clock.now() - process.uptime() * 1000).toISOString(),
        memoryBytes: process.memoryUsage.rss(),
        ready: readiness.ready,
        reason: readiness.ready ? null : readiness.reason,
        warnings: readiness.ready ? [...(readiness.warnings ?? [])] : [],
        backup: shown(backup()),
        agents: agents().map(shownAgent),
        cache: cache(),
        settings: [...settings],
      }
    },
  })
}

const shown = ({ lastSuccessAt, ...rest }: ShownBackup) => ({
  lastSuccessAt: lastSuccessAt === null ? null : new Date(lastSuccessAt).toISOString(),
  ...rest,
})

const shownAgent = ({ agentId, version, slots, free, load, encoders, leaving }: ShownAgent) => ({
  name: agentId,
  ffmpegVersion: version,
  slots,
  freeSlots: free,
  load,
  encoders: encoders && encoders.map(({ name, framesPerSecond }) => ({ name, framesPerSecond })),
  leaving,
})
