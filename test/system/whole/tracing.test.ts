/** One trace leads from a request to the append, to the projection and to the agent's job, also when these are three programs. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { startTraceCollector } from '../../fixtures/trace-collector.ts'
import { scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'

const instanceOf = (span: { readonly resource: Readonly<Record<string, string | number>> }) => span.resource['service.instance.id']

inEachTopology('a request is traced to whatever it caused', {}, async (t, installation) => {
  const collector = await startTraceCollector(t)
  const media = join(installation.folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'A Secret Title (2020).mkv'), seconds: 4 })
  const server = await installation.start({ media, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'films' } })
  const api = await signIn(server.url)
  const movie = [...(await scannedMovies(api)).values()][0]
  t.equal((await api.send('PUT', `/v1/movies/${movie?.id}/watched`, {})).status, 200)

  const marked = await collector.find(({ name }) => name.startsWith('PUT /v1/movies/:'))
  t.match(marked.attributes, { 'http.request.method': 'PUT', 'http.response.status_code': 200 })
  t.match(marked.resource, { 'service.name': 'films' })
  const below = (wanted: string, root: typeof marked) => collector.find(({ name, traceId }) => name === wanted && traceId === root.traceId)
  const append = await below('append', marked)
  t.match(append, { parentSpanId: marked.spanId, attributes: { 'marquee.stream': 'watched', 'marquee.type': 'MovieMarkedWatched' } })
  const project = await below('project', marked)
  t.equal(project.parentSpanId, marked.spanId)
  t.ok(BigInt(project.endTimeUnixNano) >= BigInt(append.startTimeUnixNano))

  const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  const session = json as unknown as { id: string; qualities: { name: string }[] }
  const quality = session.qualities.at(-1)?.name ?? ''
  const playlist = `${server.url}/api/stream/${session.id}/${quality}/playlist.m3u8?token=${api.token}`
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-i', playlist, '-f', 'null', '-'], { timeout: 60_000 })
  const transcode = await collector.find(({ name }) => name === 'transcode')
  t.match(transcode.attributes, { 'marquee.output': /encode|copy/ })
  const asked = await collector.find(({ spanId }) => spanId === transcode.parentSpanId)
  t.equal(asked.traceId, transcode.traceId)
  t.match(asked.name, /^(POST \/v1\/playback\/sessions|GET \/api\/stream\/)/, 'starting a session prepares its first segments')
  if (installation.topology !== 'one process')
    t.equal(new Set([marked, project, transcode].map(instanceOf)).size, 3, 'API node, projector and agent are three programs')

  t.equal(await server.end('SIGTERM'), 0)
  const sent = JSON.stringify(collector.spans)
  for (const secret of [api.token, 'Secret Title', 'admin@localhost', session.id, movie?.id ?? '']) t.notMatch(sent, secret)
  t.notMatch(server.output(), /OTEL_/, 'no problem is reported')
})
