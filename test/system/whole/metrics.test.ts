/** Each program serves its metrics: the projector the lag of views, the agent its jobs and the CPU time of ffmpeg. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { views } from '../../../projections/views/all.ts'
import { freePort } from '../../fakes/server.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'

const TOKEN = 'the-token-of-the-metrics'

type Samples = ReadonlyMap<string, number>

async function scrape(port: number): Promise<Samples> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  if (!answer.ok) throw new Error(`/metrics: ${answer.status}`)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

/** The views that do not catch up in ten seconds; those of which nothing is known, too. */
async function lagAtRest(port: number): Promise<readonly string[]> {
  for (let looks = 0; ; looks++) {
    const samples = await scrape(port)
    const behind = views.map(({ name }) => name).filter((name) => samples.get(`marquee_projection_lag_positions{view="${name}"}`) !== 0)
    if (behind.length === 0 || looks === 50) return behind
    await sleep(200)
  }
}

inEachTopology('every program serves its metrics', {}, async (t, installation) => {
  const isOne = installation.topology === 'one process'
  const [api, projector, agent] = await Promise.all([freePort(), freePort(), freePort()])
  const at = (port: number) => ({ MARQUEE_METRICS: `127.0.0.1:${port}`, MARQUEE_METRICS_TOKEN: TOKEN })
  const media = join(installation.folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'A Secret Title (2020).mkv'), seconds: 6 })
  const server = await installation.start({ media, env: at(api), projectorEnv: at(projector), agentEnv: at(agent) })
  const people = await signIn(server.url)
  const movie = [...(await scannedMovies(people)).values()][0]
  const { json } = await people.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  const session = json as unknown as { id: string; qualities: { name: string }[] }
  const quality = session.qualities.at(-1)?.name ?? ''
  const playlist = `${server.url}/api/stream/${session.id}/${quality}/playlist.m3u8?token=${people.token}`
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-i', playlist, '-f', 'null', '-'], { timeout: 60_000 })

  const ofAgent = await scrape(isOne ? api : agent)
  const jobs = [...ofAgent.keys()].filter((key) => key.startsWith('marquee_agent_jobs_started_total{'))
  t.ok(
    jobs.some((labels) => labels.includes('method="encode"')),
    'its job',
  )
  t.ok((ofAgent.get('marquee_ffmpeg_cpu_seconds_total{work="encode"}') ?? 0) > 0, 'and its CPU time')
  t.ok((ofAgent.get('marquee_agent_slots') ?? 0) >= 1)
  t.ok(ofAgent.has('marquee_agent_slots_used'))
  const ofProjector = await scrape(isOne ? api : projector)
  t.ok((ofProjector.get('marquee_projector_events_read_total') ?? 0) > 5, 'the events of the scan')
  t.strictSame(await lagAtRest(isOne ? api : projector), [])
  const all = isOne ? [ofAgent] : [await scrape(api), ofProjector, ofAgent]
  for (const samples of all) {
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds', 'marquee_leases_held'])
      t.ok(samples.has(name), name)
    for (const [name, value] of samples) if (name.startsWith('marquee_server_up')) t.equal(value, 1, name)
    const text = [...samples.keys()].join('\n')
    for (const secret of [TOKEN, people.token, 'Secret Title', 'admin@localhost', session.id, movie?.id ?? '']) t.notMatch(text, secret)
  }
  if (!isOne) {
    t.ok(ofAgent.has('marquee_server_up{server="NATS"}'))
    t.notOk(ofAgent.has('marquee_ready'), 'an agent answers no requests')
    t.equal((await fetch(`http://127.0.0.1:${agent}/metrics`)).status, 401)
    t.equal((await fetch(`http://127.0.0.1:${projector}/metrics`)).status, 401)
  }
  t.equal(await server.end('SIGTERM'), 0)
})
