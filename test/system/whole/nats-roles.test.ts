/**
 * Runs real programs on a NATS with a user for each role, with the permissions of compose.yaml: a film plays, metrics are read, and nothing
 * is rejected.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { execa } from 'execa'
import { overConfiguredNats } from '../../fakes/nats.ts'
import { freePort } from '../../fakes/server.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { composeFile } from '../../repo/compose-file.ts'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { scannedMovies, SETTINGS, signIn } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.setTimeout(240_000)

const PASSWORDS = { api: 'api-word', projector: 'projector-word', agent: 'agent-word' }
const { content = '' } =
  composeFile({
    NATS_API_PASSWORD: PASSWORDS.api,
    NATS_PROJECTOR_PASSWORD: PASSWORDS.projector,
    NATS_AGENT_PASSWORD: PASSWORDS.agent,
  }).configs['nats'] ?? {}

await overConfiguredNats(t, content, async (t, host) => {
  const servers = await startClusterServers()
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return
  }
  t.teardown(() => servers.stop())
  const folder = testFolder(t)
  const media = join(folder, 'media')
  mkdirSync(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 12 })
  const busOf = (role: keyof typeof PASSWORDS) => ({ MARQUEE_BUS: `nats://${role}:${PASSWORDS[role]}@${host}` })
  const [ofProjector, ofAgent] = [await freePort(), await freePort()]
  const cluster = await startCluster({
    servers,
    secret: randomBytes(32).toString('hex'),
    folder: join(folder, 'data'),
    env: SETTINGS,
    media,
    apis: 2,
    apiEnv: () => busOf('api'),
    projectorEnv: { ...busOf('projector'), MARQUEE_METRICS: `127.0.0.1:${ofProjector}` },
    agentEnv: () => ({ ...busOf('agent'), MARQUEE_METRICS: `127.0.0.1:${ofAgent}` }),
  })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()

  // Through both nodes: one owns a rendition, the other requests it from there.
  const [one, two] = cluster.apis
  const api = await signIn(one?.url ?? '')
  const movie = (await scannedMovies(api)).get('A Clip')
  const { ffmpeg } = await programs
  const { status, json } = await api.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  t.equal(status, 201)
  const session = json as unknown as { id: string; qualities: { name: string }[] }
  t.ok(session.qualities.length > 1, 'the original and a quality that is encoded')
  for (const { name } of session.qualities) {
    for (const node of [one, two]) {
      const playlist = `${node?.url}/api/stream/${session.id}/${name}/playlist.m3u8?token=${api.token}`
      const args = ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-i', playlist, '-f', 'null', '-']
      const { stdout, stderr } = await execa(ffmpeg, args, { timeout: 60_000 })
      t.equal(stderr, '', `${name}: no decoder error`)
      const decodedMs = Number([...stdout.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1]) / 1000
      t.ok(Math.abs(decodedMs - (movie?.duration ?? 0) * 1000) < 100, `${name}: ${decodedMs} ms decoded of ${movie?.duration} s`)
    }
  }
  t.equal((await api.send('POST', `/v1/playback/sessions/${session.id}/heartbeat`, { position: 5 })).status, 200)
  t.equal((await api.send('DELETE', `/v1/playback/sessions/${session.id}`)).status, 204)
  for (const port of [ofProjector, ofAgent]) t.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200)
  for (const program of cluster.programs) t.notMatch(program.output(), /give the user in MARQUEE_BUS|permissions violation/i, program.name)
  t.strictSame(await cluster.end(), [])
})
