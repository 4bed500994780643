/** Metrics of a server, if a setting asks for them: the library is loaded only then. */
import { serversAway } from './wait-for-servers.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Config } from '../config/config.ts'
import type { Position } from '../events/position.ts'
import { meterCpuTime } from '../ffmpeg/cpu-time.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Meters, Metrics } from '../ports/meters.ts'
import type { Server } from '../ports/server.ts'
import type { Ports } from './ports.ts'
import type { Services } from './services.ts'
import { meteredBus, meteredLeases, meteredLog } from './metered-ports.ts'
import { openMetricsServer, type MetricsServer } from './metrics-server.ts'

export async function loadMetrics({ metrics }: Pick<Config, 'metrics'>, version: string): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined
  const loaded = (await import('../adapters/prometheus/metrics.ts')).createPrometheusMetrics(version)
  loaded.watch({ ffmpegCpu: meterCpuTime() })
  return loaded
}

/** The same ports, counted. */
export function metered(ports: Ports, meters: Meters | undefined): Ports {
  if (!meters) return ports
  const { log, bus, leases, clock } = ports
  return { ...ports, log: meteredLog(log, meters, clock), bus: meteredBus(bus, meters), leases: meteredLeases(leases, meters) }
}

export interface WatchedServer {
  readonly config: Pick<Config, 'metrics' | 'metricsToken'>
  readonly metrics: Metrics
  readonly ports: Pick<Ports, 'log' | 'servers'>
  readonly services: Pick<Services, 'readYourWrites' | 'access' | 'backups'>
  readonly ready: () => Promise<Readiness>
}

export async function serveMetrics({ config, metrics, ports, services, ready }: WatchedServer): Promise<MetricsServer | undefined> {
  if (config.metrics === undefined) return undefined
  const { access, backups, readYourWrites } = services
  metrics.watch({
    lag: () => lagOf(ports.log, readYourWrites),
    sessions: () =>
      counted(
        METHODS,
        [...access.sessions.values()].map(({ method }) => method),
      ),
    servers: () => upOf(ports.servers),
    isReady: async () => (await ready()).ready,
    backup: backups.status,
  })
  return openMetricsServer({ address: config.metrics, token: config.metricsToken, metrics })
}

/** None while the log is away: that is no lag of a view. */
async function lagOf(log: Pick<EventLog, 'head'>, views: Services['readYourWrites']): Promise<ReadonlyMap<string, number>> {
  const head = await log.head().catch(() => undefined)
  if (head === undefined) return new Map()
  const behind = (position: Position): number => (position < head ? Number(BigInt(head) - BigInt(position)) : 0)
  return new Map([...views.positions()].map(([collection, position]) => [viewOf(collection), behind(position)]))
}

/** A name that stays the same over new versions and rebuilds (`collectionOf`). */
const viewOf = (collection: string): string => collection.replace(/_g\d+(_r\d+)?$/, '')

async function upOf(servers: readonly Server[]): Promise<ReadonlyMap<string, boolean>> {
  const checks = await Promise.all(servers.map(async (server) => [server.name, (await serversAway([server])).length === 0] as const))
  const up = new Map<string, boolean>()
  for (const [name, answers] of checks) up.set(name, answers && up.get(name) !== false)
  return up
}

const METHODS = ['direct', 'remux', 'transcode'] as const

function counted(known: readonly string[], names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(known.map((name) => [name, 0]))
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
