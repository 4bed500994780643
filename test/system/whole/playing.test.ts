import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'
import { scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'
import { until } from '../../fixtures/until.ts'

const ENCODERS_MS = 60_000

/** test/media/streaming/ffmpeg-plays.test.ts plays whole films. */
const SECONDS = 10

/** A folder with the beginning of a film of the media set, which has every quality, or with a clip. */
async function aMediaFile(folder: string): Promise<{ readonly media: string; readonly title: string }> {
  const media = join(folder, 'media')
  await mkdir(media)
  const title = 'Big Buck Bunny'
  const path = join(media, `${title} (2008).mkv`)
  const set = mediaSet()
  if (set) {
    const { ffmpeg } = await programs
    const whole = join(set.movies, `${title} (2008)`, `${title} (2008).mp4`)
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-t', String(SECONDS), '-i', whole, '-map', '0:v', '-map', '0:a', '-c', 'copy', path])
  } else await makeClip({ path, seconds: 12 })
  return { media, title }
}

inEachTopology('a folder of films becomes a film that plays from start to end, and nothing is left behind', {}, async (t, installation) => {
  const { media, title } = await aMediaFile(installation.folder)
  const server = await installation.start({ media, env: { MARQUEE_ENCODER_TESTS: 'on' } })
  const api = await signIn(server.url)
  const movie = (await scannedMovies(api)).get(title)
  if (!movie) throw new Error(`${title} was not found`)

  const created = await api.send('POST', '/v1/playback/sessions', { movieId: movie.id })
  t.equal(created.status, 201)
  const session = created.json as unknown as { id: string; masterPlaylistUrl: string; qualities: { name: string }[] }
  // Each is encoded from end to end. Servers get the first and the smallest.
  const isEnough = ({ name }: { readonly name: string }, n: number): boolean => name === 'original' || n === session.qualities.length - 1
  const qualities = installation.topology === 'one process' ? session.qualities : session.qualities.filter(isEnough)
  for (const { name } of qualities) {
    const master = `${server.url}${session.masterPlaylistUrl}?token=${api.token}`
    const variant = `${server.url}/api/stream/${session.id}/${name}/playlist.m3u8?token=${api.token}`
    const { ffmpeg } = await programs
    const args = ['-v', 'error', '-nostdin', '-progress', 'pipe:1']
    const whole = await execa(ffmpeg, [...args, '-i', name === 'original' ? master : variant, '-f', 'null', '-'], { timeout: 120_000 })
    t.equal(whole.stderr, '', `${name}: no decoder error`)
    const decodedMs = Number([...whole.stdout.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1]) / 1000
    t.ok(Math.abs(decodedMs - movie.duration * 1000) < 100, `${name}: ${decodedMs} ms decoded of ${movie.duration} s`)
    const beat = await api.send('POST', `/v1/playback/sessions/${session.id}/heartbeat`, { position: 5 })
    t.equal(beat.status, 200)
  }
  // Agents that are idle test their encoders.
  await until(() => server.output().includes('Video encoders of this machine: x264 (software'), ENCODERS_MS)
  t.notMatch(server.output(), api.token, 'the token is in no log line')

  t.equal(await server.end('SIGTERM'), 0)
  const { stdout } = await execa('ps', ['-eo', 'pid,args'])
  t.notMatch(stdout, media, 'no ffmpeg is left')
})
