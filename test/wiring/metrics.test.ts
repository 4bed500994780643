/** What is counted around the ports, and who may read it. */
import t from 'tap'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/metrics.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../src/adapters/memory/leases.ts'
import { START } from '../../src/events/position.ts'
import type { JobOptions } from '../../transcode-agent/job.ts'
import { createSegmentCache } from '../../src/app/streaming/segments/segment-cache.ts'
import type { RunJournal } from '../../src/app/streaming/agents/run-journal.ts'
import type { Gauges } from '../../src/ports/meters.ts'
import { isConfig, readConfig } from '../../src/config/config.ts'
import { meteredBus, meteredJobs, meteredJournal, meteredLeases, meteredLog, meteredProjection } from '../../src/wiring/metered-ports.ts'
import { openMetricsServer } from '../../src/wiring/metrics-server.ts'

const EVENT = {
  id: '00000000-0000-4000-8000-000000000001',
  type: 'T',
  data: {},
  metadata: { v: '1', at: '', actor: '', hash: '', prev: '' },
}

async function valueOf({ text }: Pick<ReturnType<typeof createPrometheusMetrics>, 'text'>, name: string): Promise<number | undefined> {
  const line = (await text()).body.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

t.test('appends are counted by their outcome, and a conflict is still thrown', async (t) => {
  const metrics = createPrometheusMetrics('1')
  const log = meteredLog(createMemoryEventLog(), metrics.meters, createTestClock())
  await log.append('s', 'absent', [EVENT])
  await t.rejects(log.append('s', 'absent', [{ ...EVENT, id: '00000000-0000-4000-8000-000000000002' }]), { code: 'conflict' })
  t.equal(await valueOf(metrics, 'marquee_append_duration_seconds_count{outcome="stored"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_append_duration_seconds_count{outcome="conflict"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_append_duration_seconds_count{outcome="failed"}'), 0)
})

t.test('a projector counts the events that it reads, and an agent its jobs', async (t) => {
  const metrics = createPrometheusMetrics('1')
  const log = createMemoryEventLog()
  await log.append('s', 'absent', [EVENT])
  const stopping = new AbortController()
  for await (const batch of meteredProjection(log, metrics.meters).follow(START, stopping.signal)) {
    t.equal(batch.length, 1)
    stopping.abort()
  }
  t.equal(await valueOf(metrics, 'marquee_projector_events_read_total'), 1)

  const ran: unknown[] = []
  const work = meteredJobs(async (job) => void ran.push(job), metrics.meters)
  const outputs = [{ type: 'encode-video', encoder: 'nvenc' }, { type: 'copy-video' }, { type: 'encode-audio' }]
  for (const output of outputs) await work({ spec: { output } } as JobOptions)
  t.equal(ran.length, 3)
  t.equal(await valueOf(metrics, 'marquee_agent_jobs_started_total{method="encode",encoder="nvenc"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_agent_jobs_started_total{method="copy",encoder="none"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_agent_jobs_started_total{method="encode",encoder="none"}'), 1)
})

t.test('requests over the bus and leases are counted, and how many leases are held', async (t) => {
  const metrics = createPrometheusMetrics('1')
  const clock = createTestClock()
  const bus = meteredBus(createLocalBus({ clock }), metrics.meters)
  await t.rejects(bus.request('nobody', { head: {} }, { timeoutMs: 100 }), { code: 'no-responder' })
  t.equal(await valueOf(metrics, 'marquee_bus_requests_total{outcome="no-responder"}'), 1)

  const table = createLeaseTable()
  const leases = meteredLeases(createMemoryLeases({ clock, table }), metrics.meters)
  const lease = await leases.acquire('a', 15)
  t.equal(await leases.acquire('a', 15), null)
  t.equal(await valueOf(metrics, 'marquee_leases_held'), 1)
  await lease?.release()
  t.equal(await valueOf(metrics, 'marquee_leases_held'), 0)
  t.equal(await valueOf(metrics, 'marquee_lease_acquisitions_total{outcome="held"}'), 1)
})

t.test('segments are counted by where they came from, with their bytes, and transcodes by method, encoder and end', async (t) => {
  const metrics = createPrometheusMetrics('1')
  const cache = createSegmentCache({ memoryBytes: 1_000, looked: metrics.meters.segment })
  const rendition = cache.open({ source: 'a', rendition: 'b', cost: 1 }, () => [])
  await rendition.get(1)
  rendition.put(1, new Uint8Array(100))
  await rendition.get(1)
  await rendition.get(1)
  t.equal(await valueOf(metrics, 'marquee_segment_cache_requests_total{from="missed"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_segment_cache_requests_total{from="memory"}'), 2)
  t.equal(await valueOf(metrics, 'marquee_segment_cache_bytes_total{from="memory"}'), 200)

  const noted: string[] = []
  const kept: RunJournal = { assigned: ({ jobId }) => void noted.push(jobId), ended: (id) => void noted.push(id) }
  const journal = meteredJournal(kept, metrics.meters)
  const job = { jobId: 'j', agentId: 'g', epoch: 1, fileId: 'f', quality: '720p', positionMs: 0 }
  journal.assigned({ ...job, method: 'encode', encoder: 'x264' })
  journal.assigned({ ...job, method: 'copy' })
  journal.ended('j', { end: 'lost', reason: 'a reason', positionMs: 0 })
  t.strictSame(noted, ['j', 'j', 'j'], 'and written down as before')
  t.equal(await valueOf(metrics, 'marquee_transcodes_started_total{method="encode",encoder="x264"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_transcodes_started_total{method="copy",encoder="none"}'), 1)
  t.equal(await valueOf(metrics, 'marquee_transcodes_ended_total{end="lost"}'), 1)
})

t.test('lag, sessions, servers, readiness and the last backup are read when they are asked for', async (t) => {
  const metrics = createPrometheusMetrics('1')
  let encodeSeconds = 1.5
  let lag = new Map([
    ['movies', 3],
    ['audit', 0],
  ])
  const gauges: Gauges = {
    lag: async () => lag,
    sessions: () => new Map([['direct', 2]]),
    servers: async () => new Map([['NATS', false]]),
    isReady: async () => false,
    slots: () => ({ all: 4, used: 2.1 }),
    ffmpegCpu: () => new Map([['encode', encodeSeconds]]),
    backup: () => ({ lastSuccessAt: 5_000, lastFailure: 'The disk is full' }),
  }
  metrics.watch(gauges)
  t.equal(await valueOf(metrics, 'marquee_projection_lag_positions{view="movies"}'), 3)
  t.equal(await valueOf(metrics, 'marquee_playback_sessions{method="direct"}'), 2)
  t.equal(await valueOf(metrics, 'marquee_server_up{server="NATS"}'), 0)
  t.equal(await valueOf(metrics, 'marquee_ready'), 0)
  t.equal(await valueOf(metrics, 'marquee_agent_slots'), 4)
  t.equal(await valueOf(metrics, 'marquee_agent_slots_used'), 2.1)
  for (const seconds of [1.5, 1.5, 2]) {
    encodeSeconds = seconds
    t.equal(await valueOf(metrics, 'marquee_ffmpeg_cpu_seconds_total{work="encode"}'), seconds, 'a sum, which is not added again')
  }
  t.equal(await valueOf(metrics, 'marquee_backup_last_success_timestamp_seconds'), 5)
  t.equal(await valueOf(metrics, 'marquee_backup_failed'), 1)
  t.notMatch((await metrics.text()).body, 'The disk is full')
  lag = new Map()
  t.equal(await valueOf(metrics, 'marquee_projection_lag_positions{view="movies"}'), undefined)
})

t.test('with a token /metrics answers to that alone, and nothing else is served there', async (t) => {
  const metrics = createPrometheusMetrics('1')
  const server = await openMetricsServer({ address: { host: '127.0.0.1', port: 0 }, token: 'the-token', metrics })
  t.teardown(server.close)
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers })
    return { status: answer.status, text: await answer.text() }
  }
  t.match(await ask('/metrics', { authorization: 'Bearer the-token' }), { status: 200, text: /marquee_info\{version="1"\} 1/ })
  for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
    t.match(await ask('/metrics', { authorization: `${scheme} the-token` }), { status: 200 }, scheme)
  for (const authorization of ['', 'Bearer another', 'Bearerthe-token', 'Basic the-token', 'Bearer the-tokenx', 'the-token'])
    t.match(await ask('/metrics', { authorization }), { status: 401 })
  t.match(await ask('/'), { status: 404 })
  t.match(await ask('/metrics', {}, 'POST'), { status: 405 })
})

t.test('an address that other machines reach needs a token', async (t) => {
  const read = (metrics: string, token?: string) =>
    readConfig({ env: { MARQUEE_METRICS: metrics, ...(token === undefined ? {} : { MARQUEE_METRICS_TOKEN: token }) } })
  for (const own of ['127.0.0.1:9464', '[::1]:9464', 'localhost:9464']) t.ok(isConfig(read(own)), own)
  for (const open of ['0.0.0.0:9464', '127.example.org:9464', '192.0.2.1:9464'])
    t.match(read(open), [{ name: 'MARQUEE_METRICS_TOKEN' }], open)
  t.ok(isConfig(read('0.0.0.0:9464', 'a-token')))
  for (const wrong of ['9464', 'host', ':1', 'host:99999', 'http://host:1']) t.match(read(wrong), [{ name: 'MARQUEE_METRICS' }], wrong)
})
