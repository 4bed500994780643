/**
 * Tracer with the SDK of OpenTelemetry: sends spans to a collector by OTLP over HTTP, in batches. While the collector is away, spans are
 * dropped.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type SpanContext, type SpanOptions } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Span, SpanAttributes, Tracer } from '../../ports/tracer.ts'
import type { Report } from '../../ports/report.ts'

export interface TracerOptions {
  /** Base URL of the collector. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Share of the traces that are kept, from 0 to 1. All programs decide alike, by the trace's id. */
  readonly share: number
  readonly service: string
  readonly version: string
  /** Name of this process. */
  readonly instance: string
  /** Called once when the collector is found to be away, and again after it was back. */
  readonly onError: Report
}

/** Of one batch; closing waits for it at most. */
const EXPORT_MS = 5_000

type Otel = ReturnType<TracerProvider['getTracer']>

interface State {
  readonly otel: Otel
  readonly sampler: TraceIdRatioBasedSampler
  readonly ids: IdsOfNext
  readonly current: AsyncLocalStorage<SpanContext>
}

type Ids = Pick<SpanContext, 'traceId' | 'spanId'>

/** Spans that begin get these ids while they are set. */
interface IdsOfNext {
  next: Ids | undefined
}

export function createTracer({ endpoint, headers, share, service, version, instance, onError }: TracerOptions): Tracer {
  const sampler = new TraceIdRatioBasedSampler(share)
  const ids: IdsOfNext = { next: undefined }
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: EXPORT_MS })
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: sampler }),
    idGenerator: idGenerator(ids),
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version, 'service.instance.id': instance }),
    spanProcessors: [new BatchSpanProcessor({ exporter: watched(exporter, endpoint, onError), exportTimeoutMillis: EXPORT_MS })],
  })
  const state: State = { otel: provider.getTracer('marquee', version), sampler, ids, current: new AsyncLocalStorage() }
  return {
    current() {
      const context = state.current.getStore()
      return context && `00-${context.traceId}-${context.spanId}-${String(context.traceFlags).padStart(2, '0')}`
    },
    within(traceparent, work) {
      const context = contextIn(traceparent)
      return context ? state.current.run(context, work) : work()
    },
    beginRequest: (requestId, name, attributes) => beginRequest(state, requestId, name, attributes),
    begin(name, attributes) {
      const parent = state.current.getStore()
      return parent ? begin(state, parent, name, { attributes }) : UNTRACED
    },
    record({ name, requestId, beganAtMs, attributes }) {
      begin(state, requestContext(state, requestId), name, { attributes, startTime: beganAtMs }).end()
    },
    close: () => provider.shutdown().catch((cause: unknown) => onError(cause, 'warn')),
  }
}

const UNTRACED: Span = { run: (work) => work(), end: () => {} }

/** The first bytes of a digest: the ids of a trace have no form of their own (W3C Trace Context, sections 3.2.2.3 and 3.2.2.4). */
function idsOf(requestId: string): Ids {
  const digest = createHash('sha256').update(`trace of ${requestId}`).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

/** The span of a request, which another program may have begun. */
function requestContext({ sampler }: State, requestId: string): SpanContext {
  const ids = idsOf(requestId)
  const isKept = sampler.shouldSample(ROOT_CONTEXT, ids.traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
  return { ...ids, traceFlags: isKept ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
}

function contextIn(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

function beginRequest(state: State, requestId: string, name: string, attributes: SpanAttributes): Span {
  state.ids.next = idsOf(requestId)
  const span = spanOf(state, name, { kind: SpanKind.SERVER, root: true, attributes })
  state.ids.next = undefined
  return span
}

const begin = (state: State, parent: SpanContext, name: string, options: SpanOptions): Span => spanOf(state, name, options, parent)

function spanOf({ otel, current }: State, name: string, options: SpanOptions, parent?: SpanContext): Span {
  const span = otel.startSpan(name, options, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
  const context = span.spanContext()
  return {
    run: (work) => current.run(context, work),
    end({ attributes = {}, error } = {}) {
      span.setAttributes({ ...attributes, ...(error === undefined ? {} : { 'error.type': error }) })
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function idGenerator(ids: IdsOfNext) {
  const random = new RandomIdGenerator()
  return {
    generateTraceId: () => ids.next?.traceId ?? random.generateTraceId(),
    generateSpanId: () => ids.next?.spanId ?? random.generateSpanId(),
  }
}

/** Reports an outage once, not with every batch. */
function watched(exporter: SpanExporter, endpoint: string, onError: Report): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error && !isAway)
          onError(
            new Error(`Traces cannot be sent to ${endpoint} (OTEL_EXPORTER_OTLP_ENDPOINT): ${error.message}`, { cause: error }),
            'warn',
          )
        isAway = error !== undefined
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
