/** A cluster of real processes whose API node starts no ffmpeg and no ffprobe: an agent without mounted films does this work. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import t from 'tap'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS, signIn } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const PATIENCE_MS = 120_000
t.setTimeout(300_000)

/** Four seconds of film whose times only ffprobe reads, with a subtitle. */
async function makeMediaFile(folder: string): Promise<void> {
  const { ffmpeg } = await programs
  mkdirSync(folder, { recursive: true })
  const text = join(folder, '..', 'text.srt')
  writeFileSync(text, '1\n00:00:01,000 --> 00:00:02,000\nGood evening\n')
  const inputs = ['testsrc2=size=320x180:rate=12:d=4', 'sine=frequency=440:d=4'].flatMap((graph) => ['-f', 'lavfi', '-i', graph])
  const output = '-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -g 12 -pix_fmt yuv420p -c:a aac -c:s srt'.split(' ')
  await execa(ffmpeg, ['-v', 'error', '-nostdin', ...inputs, '-i', text, ...output, join(folder, 'A Film (2019).mkv')])
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const startMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startMs > PATIENCE_MS) throw new Error(`Not so: ${what}`)
    await sleep(100)
  }
}

t.test('an agent probes, draws, reads texts and measures for an API node that starts no program', async (t) => {
  const servers = await startClusterServers()
  if ('missing' in servers) return servers.missing.forEach((name) => tellMissing(t, name))
  t.teardown(() => servers.stop())
  const folder = testFolder(t)
  const started = join(folder, 'started')
  const forbidden = join(folder, 'forbidden')
  writeFileSync(forbidden, `#!/bin/sh\necho "$0 $*" >> '${started}'\nexit 1\n`)
  chmodSync(forbidden, 0o755)
  const films = join(folder, 'films')
  await makeMediaFile(films)
  const { ffmpeg, ffprobe } = await programs
  const env = { ...SETTINGS, MARQUEE_MEDIA_WORK: 'agents', FFMPEG_PATH: forbidden, FFPROBE_PATH: forbidden, MARQUEE_LOG_LEVEL: 'warn' }
  // It has other folders than the API node, and fetches films from there.
  const agentEnv = ([url = '']: readonly string[]) => ({
    MARQUEE_API_URL: url,
    MARQUEE_PATH_MAP: `/=${join(folder, 'nothing')}`,
    FFMPEG_PATH: ffmpeg,
    FFPROBE_PATH: ffprobe,
  })
  const secret = randomBytes(32).toString('hex')
  const data = join(folder, 'data')
  const cluster = await startCluster({ servers, secret, folder: data, env, agentEnv, apis: 1, projectors: 1, agents: 1 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const api = await signIn(cluster.apis[0]?.url ?? '')
  await api.send('POST', '/v1/libraries', { name: 'Films', path: films, settings: { watchFiles: false } })
  type Movie = { readonly id: string; readonly title: string; readonly duration: number | null }
  let film: Movie | undefined
  const asked = { scan: false }
  await until('the film is there', async () => {
    const libraries = (await api.send('GET', '/v1/libraries')).json as unknown as { items?: { id: string }[] }
    const id = libraries.items?.[0]?.id
    if (id && !asked.scan) asked.scan = (await api.send('POST', `/v1/libraries/${id}/scan`, {})).status < 500
    film = ((await api.send('GET', '/v1/movies')).json['items'] as unknown as Movie[] | undefined)?.[0]
    // The facts arrive in several events.
    return film !== undefined && film.title !== '' && film.duration !== null
  })
  t.match(film, { title: 'A Film' })
  t.ok(Math.abs((film?.duration ?? 0) - 4) < 0.3, `${film?.duration} s`)
  const kept = (kind: string): boolean => existsSync(join(data, 'blobs', kind)) && readdirSync(join(data, 'blobs', kind)).length > 0
  for (const kind of ['texts', 'loudness', 'trickplay']) {
    await until(`${kind} are kept`, () => kept(kind))
    t.pass(`${kind} are kept`)
  }
  t.notOk(existsSync(started), 'the API node started nothing')
  t.strictSame(await cluster.end(), [], 'every program ends as it should')
})
