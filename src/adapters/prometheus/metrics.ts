/** Metrics for Prometheus: each in a registry of its own process, with Node's own metrics. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Meters, Metrics } from '../../ports/meters.ts'
import { addGauges } from './gauges.ts'

/** Seconds. A segment that is still being made may take as long as a player waits. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const APPEND_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export function createPrometheusMetrics(version: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'marquee_info', help: 'Version of Marquee.', labelNames: ['version'], registers }).set({ version }, 1)
  return {
    meters: createMeters(registers),
    watch: (gauges) => addGauges(gauges, registers),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

function createMeters(registers: Registry[]): Meters {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `marquee_${name}_total`, help, labelNames, registers })
  const requests = new Histogram({
    name: 'marquee_http_request_duration_seconds',
    help: 'From the arrival of a request until its answer is out, or its client has gone.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const appends = new Histogram({
    name: 'marquee_append_duration_seconds',
    help: 'Appends to the event log. conflict: somebody else was first, and the command is decided again.',
    labelNames: ['outcome'],
    buckets: APPEND_BUCKETS,
    registers,
  })
  const bus = counter('bus_requests', 'Requests to other programs over the bus.', 'outcome')
  const leases = counter('lease_acquisitions', 'Tries to take a lease. held: another program has it.', 'outcome')
  const held = new Gauge({ name: 'marquee_leases_held', help: 'Leases that this process holds.', registers })
  const segments = counter(
    'segment_cache_requests',
    'Lookups of segments. missed: it has to be made, or fetched from another node.',
    'from',
  )
  const bytes = counter('segment_cache_bytes', 'Bytes of segments that came from the cache.', 'from')
  const began = counter('transcodes_started', 'Transcode jobs that an agent took.', 'method', 'encoder')
  const ended = counter('transcodes_ended', 'Transcode jobs that ended. lost: their agent is gone.', 'end')
  const jobs = counter('agent_jobs_started', 'Transcode jobs that the agent in this process runs or ran.', 'method', 'encoder')
  const events = counter('projector_events_read', 'Events that projectors in this process have read from the log, also for rebuilds.')
  const webhooks = counter('webhook_deliveries', 'Tries to deliver an event to a webhook. parked: the last try has failed.', 'outcome')
  // A rate needs a first value: without one the first event of a kind would not count.
  for (const outcome of ['answered', 'no-responder', 'timeout', 'unavailable', 'aborted']) bus.inc({ outcome }, 0)
  for (const outcome of ['taken', 'held', 'unavailable']) leases.inc({ outcome }, 0)
  for (const from of ['memory', 'disk', 'missed']) segments.inc({ from }, 0)
  for (const from of ['memory', 'disk']) bytes.inc({ from }, 0)
  for (const end of ['complete', 'unneeded', 'failed', 'lost']) ended.inc({ end }, 0)
  for (const outcome of ['delivered', 'failed', 'parked']) webhooks.inc({ outcome }, 0)
  for (const outcome of ['stored', 'conflict', 'failed']) appends.zero({ outcome })
  return {
    request: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    append: (outcome, seconds) => appends.observe({ outcome }, seconds),
    busRequest: (outcome) => bus.inc({ outcome }),
    lease: (outcome) => leases.inc({ outcome }),
    leasesHeld: (change) => held.inc(change),
    segment(from, size) {
      segments.inc({ from })
      if (from !== 'missed') bytes.inc({ from }, size)
    },
    transcodeBegan: (method, encoder) => began.inc({ method, encoder }),
    transcodeEnded: (end) => ended.inc({ end }),
    agentJob: (method, encoder) => jobs.inc({ method, encoder }),
    eventsRead: (count) => events.inc(count),
    webhook: (outcome) => webhooks.inc({ outcome }),
  }
}
