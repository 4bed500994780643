/** Traces requests through the ports, if a setting asks for it: the library is loaded only then. */
import type { runJob } from '../../transcode-agent/job.ts'
import type { Config } from '../config/config.ts'
import type { StoredEvent } from '../events/envelope.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { SpanAttributes, Tracer } from '../ports/tracer.ts'
import type { Report } from '../ports/report.ts'

export type TracingConfig = Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'serviceName' | 'traceShare'>

interface TracerOptions {
  readonly config: TracingConfig
  readonly version: string
  /** Name of this process. */
  readonly instance: string
  readonly onError: Report
}

export async function loadTracer({ config, ...options }: TracerOptions): Promise<Tracer | undefined> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers = [], serviceName: service, traceShare: share } = config
  if (endpoint === undefined) return undefined
  const { createTracer } = await import('../adapters/opentelemetry/tracer.ts')
  return createTracer({
    ...options,
    endpoint,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    share,
    service,
  })
}

/** The same ports, traced. */
export function traced<Ports extends { readonly log: EventLog; close(): Promise<void> }>(ports: Ports, tracer: Tracer | undefined): Ports {
  if (!tracer) return ports
  return {
    ...ports,
    log: tracedLog(ports.log, tracer),
    async close() {
      await ports.close()
      await tracer.close()
    },
  }
}

const tracedLog = (log: EventLog, tracer: Tracer): EventLog => ({
  ...log,
  append(stream, expected, events) {
    const [category = ''] = stream.split('-', 1)
    const about = { 'marquee.stream': category, 'marquee.events': events.length, 'marquee.type': events[0]?.type ?? '' }
    return inSpan(tracer, 'append', about, () => log.append(stream, expected, events))
  },
})

/** Of events that are older nobody waits: they are read again, after a restart or for a rebuild. */
const RECENT_MS = 60_000

/** For a projector: records how long each batch took, below the requests that it belongs to. */
export function tracedProjection(log: EventLog, tracer: Tracer | undefined, clock: Pick<Clock, 'now'>): EventLog {
  if (!tracer) return log
  return {
    ...log,
    async *follow(after, signal) {
      for await (const batch of log.follow(after, signal)) {
        const beganAtMs = clock.now()
        yield batch
        for (const [requestId, events] of recentRequests(batch, beganAtMs))
          tracer.record({ name: 'project', requestId, beganAtMs, attributes: { 'marquee.events': events } })
      }
    },
  }
}

function recentRequests(batch: readonly StoredEvent[], nowMs: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { metadata } of batch) {
    const requestId = metadata['request']
    if (requestId !== undefined && Date.parse(metadata.at) > nowMs - RECENT_MS) counts.set(requestId, (counts.get(requestId) ?? 0) + 1)
  }
  return counts
}

/** For an agent: its jobs, below the request that needed the segment. */
export function tracedJobs(work: typeof runJob, tracer: Tracer | undefined): typeof runJob {
  if (!tracer) return work
  return (job) => {
    const { output, startSegment } = job.spec
    return inSpan(tracer, 'transcode', { 'marquee.output': output.type, 'marquee.segment': startSegment }, () => work(job))
  }
}

async function inSpan<Result>(tracer: Tracer, name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
  const span = tracer.begin(name, attributes)
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (cause) {
    span.end({ error: cause instanceof Error ? cause.name : 'error' })
    throw cause
  }
}
