/** Metrics of a process, if a setting asks for them: the library is loaded only then. */
import { views } from '../../projections/views/all.ts'
import { collectionOf } from '../../projections/views/view.ts'
import { serversAway } from './wait-for-servers.ts'
import { storedPositions } from '../app/consistency/stored-progress.ts'
import { createViewGenerations } from '../app/consistency/view-generations.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Config } from '../config/config.ts'
import { START, type Position } from '../events/position.ts'
import { meterCpuTime } from '../ffmpeg/cpu-time.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Gauges, Meters, Metrics } from '../ports/meters.ts'
import type { Server } from '../ports/server.ts'
import type { Ports, ProjectorPorts } from './ports.ts'
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
export function metered<Counted extends Pick<Ports, 'log' | 'bus' | 'leases' | 'clock'>>(
  ports: Counted,
  meters: Meters | undefined,
): Counted {
  if (!meters) return ports
  const { log, bus, leases, clock } = ports
  return { ...ports, log: meteredLog(log, meters, clock), bus: meteredBus(bus, meters), leases: meteredLeases(leases, meters) }
}

interface WatchedNode {
  readonly metrics: Metrics
  readonly ports: Pick<Ports, 'log' | 'servers'>
  readonly services: Pick<Services, 'readYourWrites' | 'access' | 'backups'>
  readonly ready: () => Promise<Readiness>
  readonly agent: { readonly slots: Gauges['slots'] } | undefined
}

/** Of a node that serves requests. */
export function watchNode({ metrics, ports, services, ready, agent }: WatchedNode): void {
  const { access, backups, readYourWrites } = services
  metrics.watch({
    lag: () => lagOf(ports.log, () => readYourWrites.positions()),
    sessions: () =>
      counted(
        METHODS,
        [...access.sessions.values()].map(({ method }) => method),
      ),
    servers: () => upOf(ports.servers),
    isReady: async () => (await ready()).ready,
    backup: backups.status,
    ...(agent ? { slots: agent.slots } : {}),
  })
}

/** @throws StartRefused the address cannot be had */
export async function serveMetrics(
  { metrics: address, metricsToken: token }: Pick<Config, 'metrics' | 'metricsToken'>,
  metrics: Metrics,
): Promise<MetricsServer | undefined> {
  return address === undefined ? undefined : openMetricsServer({ address, token, metrics })
}

type Positions = ReadonlyMap<string, Position>

/** None while the log is away: that is no lag of a view. */
async function lagOf(log: Pick<EventLog, 'head'>, positions: () => Positions | Promise<Positions>): Promise<ReadonlyMap<string, number>> {
  const head = await log.head().catch(() => undefined)
  if (head === undefined) return new Map()
  const behind = (position: Position): number => (position < head ? Number(BigInt(head) - BigInt(position)) : 0)
  return new Map([...(await positions())].map(([collection, position]) => [viewOf(collection), behind(position)]))
}

/**
 * For a projector. It may miss announcements of other projectors, so positions come from the read store, independent of the views' keeper.
 * None while a server is away.
 */
export async function storedLag({ log, store, clock }: ProjectorPorts): Promise<ReadonlyMap<string, number>> {
  const generations = createViewGenerations({ store, clock })
  const collections = views.map(collectionOf)
  const stored = async (): Promise<Positions> => {
    await generations.load()
    const positions = await storedPositions(store, collections.map(generations.liveOf))
    return new Map(collections.map((name) => [name, positions.get(generations.liveOf(name)) ?? START]))
  }
  return lagOf(log, stored).catch(() => new Map())
}

/** A name that stays the same over new versions and rebuilds (`collectionOf`). */
const viewOf = (collection: string): string => collection.replace(/_g\d+(_r\d+)?$/, '')

export async function upOf(servers: readonly Server[]): Promise<ReadonlyMap<string, boolean>> {
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
