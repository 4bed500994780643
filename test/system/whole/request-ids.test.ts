/** A line of the log about a failed job names the request that caused it, also when another program runs the job. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'

const FAILED = {
  api: /"level":40.*Faulty Film.*\[ffmpeg-failed\].*"requestId":"([\w-]+)"/,
  agent: /Job \S+ failed: \[ffmpeg-failed\].*"requestId":"([\w-]+)"/,
}
const WAIT_MS = 60_000

/** An ffmpeg that makes no segments of one film. */
async function faultyFfmpeg(folder: string): Promise<string> {
  const path = join(folder, 'ffmpeg')
  const { ffmpeg } = await programs
  await writeFile(
    path,
    `#!/bin/sh\ncase "$*" in *'Faulty Film'*-movflags*) echo 'cannot do that' >&2; exit 1;; esac\nexec '${ffmpeg}' "$@"\n`,
  )
  await chmod(path, 0o755)
  return path
}

/** Path of each request that the log has, by its id. */
const pathsIn = (output: string): ReadonlyMap<string, string> =>
  new Map(Array.from(output.matchAll(/"requestId":"([\w-]+)".*?"path":"([^"]*)"/g), ([, id = '', path = '']) => [id, path]))

inEachTopology('a failed job is logged with the request that caused it', {}, async (t, installation) => {
  const media = join(installation.folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'Faulty Film (2020).mkv'), seconds: 4 })
  const { ffprobe } = await programs
  const env = { FFMPEG_PATH: await faultyFfmpeg(installation.folder), FFPROBE_PATH: ffprobe, MARQUEE_LOG_LEVEL: 'info' }
  const server = await installation.start({ media, env })
  const api = await signIn(server.url)
  const movie = [...(await scannedMovies(api)).values()][0]
  const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  const session = json as unknown as { id: string; qualities: { name: string }[] }
  const quality = session.qualities.at(-1)?.name ?? ''
  const segment = `${server.url}/api/stream/${session.id}/${quality}/init.mp4?token=${api.token}`
  await (await fetch(segment)).arrayBuffer()

  const expected = installation.topology === 'one process' ? [FAILED.api] : [FAILED.api, FAILED.agent]
  const requestIds = () => expected.map((pattern) => pattern.exec(server.output())?.[1])
  for (let waitedMs = 0; requestIds().includes(undefined) && waitedMs < WAIT_MS; waitedMs += 100) await sleep(100)
  t.equal(await server.end('SIGTERM'), 0)
  const paths = pathsIn(server.output())
  for (const requestId of requestIds()) {
    t.ok(requestId, 'the line names a request')
    t.match(paths.get(requestId ?? ''), /^\/(v1\/playback\/sessions|api\/stream\/)/, 'one that the log of the API node has')
  }
})
