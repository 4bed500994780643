/** Validates a film as served over HTTP: every rule of the validator. */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { scannedMovies, signIn, startServer } from './server-process.ts'
import { clip } from '../../fixtures/clips.ts'
import { programs } from '../../fixtures/media-files.ts'
import { HTTP_RULES, type HttpAnswer } from '../../media/validator/http-rules.ts'
import { judge } from '../../media/validator/rule.ts'
import { fetchServed } from '../../media/validator/served.ts'
import { verdictOn } from '../../media/validator/verdict.ts'
import { until } from '../../fixtures/until.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Reads a film's packets later than a session waits for the media index. */
async function slowFfprobe(folder: string): Promise<string> {
  const path = join(folder, 'ffprobe')
  const { ffprobe } = await programs
  await writeFile(path, `#!/bin/sh\ncase "$*" in *packet*) sleep 8 ;; esac\nexec '${ffprobe}' "$@"\n`, { mode: 0o755 })
  return path
}

interface Serving {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** Before it is played. A busy machine may need longer for it than a session waits. */
  readonly isIndexed: boolean
}

/** Gives the name of its best rendition. */
async function serve(t: Test, { folder, env = {}, isIndexed }: Serving): Promise<string | undefined> {
  const [dataDir, media] = [join(folder, 'data'), join(folder, 'media')]
  await mkdir(dataDir)
  await mkdir(media)
  await copyFile(await clip('late-aac.ts'), join(media, 'Late (2010).ts'))
  await writeFile(join(media, 'Late (2010).en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nOne\n')
  const own: Readonly<Record<string, string>> = process.env['FFMPEG_PATH'] ? { FFMPEG_PATH: process.env['FFMPEG_PATH'] } : {}
  const server = await startServer({ dataDir, media, env: { ...own, ...env } })
  t.teardown(() => server.child.kill('SIGKILL'))
  const api = await signIn(server.url)
  const movie = (await scannedMovies(api)).get('Late')
  const indexes = () => readdir(join(dataDir, 'blobs/media-index')).catch(() => [])
  if (isIndexed) await until(async () => (await indexes()).length > 0, 60_000)
  const session = (await api.send('POST', '/v1/playback/sessions', { movieId: movie?.id })).json as unknown as { id: string }
  const answers: HttpAnswer[] = []

  async function get(path: string): Promise<Uint8Array> {
    const url = new URL(path, `${server.url}/api/stream/${session.id}/`)
    if (!url.searchParams.has('token')) url.searchParams.set('token', api.token)
    const { status, headers, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(60_000) })
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    answers.push({ path: path.replace(/\?.*/, ''), status, headers, sizeBytes: bytes.byteLength })
    return bytes
  }

  const served = await fetchServed(get)
  t.strictSame(verdictOn(served), [])
  t.strictSame(
    answers.flatMap((answer) => judge(HTTP_RULES, answer, answer.path)),
    [],
  )
  t.equal(served.subtitles.length, 1)
  return served.renditions[0]?.name
}

t.test('a film that the server serves breaks no rule of playlists, segments, subtitles and their headers', async (t) => {
  t.equal(await serve(t, { folder: testFolder(t), isIndexed: true }), 'original')
})

t.test('neither does one that is encoded because its times are not known in time', async (t) => {
  const folder = testFolder(t)
  t.equal(await serve(t, { folder, env: { FFPROBE_PATH: await slowFfprobe(folder) }, isIndexed: false }), '240p')
})
