/** The tracer on the SDK, with a collector that receives what it sends. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTracer, type TracerOptions } from '../../../src/adapters/opentelemetry/tracer.ts'
import { startTraceCollector } from '../../fixtures/trace-collector.ts'

const OPTIONS = { headers: {}, share: 1, service: 'marquee', version: '1.2.3', instance: 'n1' }

async function open(t: Test, options: Partial<TracerOptions> = {}) {
  const collector = await startTraceCollector(t)
  const problems: unknown[] = []
  const create = () => createTracer({ ...OPTIONS, endpoint: collector.url, onError: (cause) => problems.push(cause), ...options })
  return { collector, problems, create, tracer: create() }
}

t.test('what a request causes is below its span, in this program and in another', async (t) => {
  const { collector, problems, tracer, create } = await open(t, { headers: { authorization: 'Bearer abc' } })
  const request = tracer.beginRequest('r1', 'POST /v1/things', { 'http.route': '/v1/things' })
  const carried = await request.run(async () => {
    await nextTurn()
    const append = tracer.begin('append', { 'marquee.events': 2 })
    append.run(() => tracer.begin('inner', {}).end())
    append.end({ error: 'Conflict' })
    return tracer.current() ?? ''
  })
  request.end({ attributes: { 'http.response.status_code': 201 } })
  t.match(carried, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  t.equal(tracer.current(), undefined, 'outside there is none')

  const other = create()
  other.within(carried, () => other.begin('transcode', {}).end())
  other.record({ name: 'project', requestId: 'r1', beganAtMs: Date.now() - 50, attributes: { 'marquee.events': 2 } })
  await Promise.all([tracer.close(), other.close()])

  const byName = new Map(collector.spans.map((span) => [span.name, span]))
  const root = byName.get('POST /v1/things')
  t.match(root, { attributes: { 'http.route': '/v1/things', 'http.response.status_code': 201 }, status: { code: 0 } })
  t.match(root?.resource, { 'service.name': 'marquee', 'service.version': '1.2.3', 'service.instance.id': 'n1' })
  t.equal(root?.parentSpanId, undefined)
  t.strictSame([...new Set(collector.spans.map(({ traceId }) => traceId))], [carried.slice(3, 35)], 'one trace')
  for (const name of ['append', 'transcode', 'project']) t.equal(byName.get(name)?.parentSpanId, root?.spanId, name)
  t.equal(byName.get('inner')?.parentSpanId, byName.get('append')?.spanId)
  t.match(byName.get('append'), { status: { code: 2 }, attributes: { 'error.type': 'Conflict', 'marquee.events': 2 } })
  const { startTimeUnixNano: began = '0', endTimeUnixNano: ended = '0' } = byName.get('project') ?? {}
  t.ok(BigInt(ended) - BigInt(began) >= 49_000_000n, 'a past span lasts from its beginning')
  t.match(collector.headers[0], { authorization: 'Bearer abc' })
  t.strictSame(problems, [])
})

t.test('work that no request caused is not traced, nor what follows a text that is no trace', async (t) => {
  const { collector, tracer } = await open(t)
  tracer.begin('append', {}).end()
  for (const text of ['', 'x', '00-0-0-01', `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`])
    t.equal(
      tracer.within(text, () => (tracer.begin('append', {}).end(), tracer.current())),
      undefined,
      text,
    )
  await tracer.close()
  t.strictSame(collector.spans, [])
})

t.test('a share of the requests is traced, and all programs keep the same ones', async (t) => {
  const { collector, tracer, create } = await open(t, { share: 0.5 })
  const other = create()
  const requests = Array.from({ length: 200 }, (_, n) => `request ${n}`)
  for (const requestId of requests) {
    const request = tracer.beginRequest(requestId, 'request', { id: requestId })
    const carried = request.run(() => tracer.current() ?? '')
    request.end()
    other.record({ name: 'project', requestId, beganAtMs: Date.now(), attributes: { id: requestId } })
    other.within(carried, () => other.begin('transcode', { id: requestId }).end())
  }
  await Promise.all([tracer.close(), other.close()])
  const idsOf = (wanted: string) =>
    collector.spans
      .filter(({ name }) => name === wanted)
      .map(({ attributes }) => String(attributes['id']))
      .toSorted()
  const kept = idsOf('request')
  t.ok(kept.length > 60 && kept.length < 140, `${kept.length} of 200`)
  t.strictSame(idsOf('project'), kept)
  t.strictSame(idsOf('transcode'), kept)
})

t.test('a collector that is away is reported once, and holds nothing up', async (t) => {
  const problems: unknown[] = []
  const tracer = createTracer({ ...OPTIONS, endpoint: 'http://127.0.0.1:1', onError: (cause) => problems.push(cause) })
  tracer.beginRequest('r1', 'GET /', {}).end()
  await tracer.close()
  t.match(problems, [{ message: /Traces cannot be sent to http:\/\/127\.0\.0\.1:1 \(OTEL_EXPORTER_OTLP_ENDPOINT\): .*ECONNREFUSED/ }])
})
