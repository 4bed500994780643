/** Validates a film as served over HTTP: every rule of the validator. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { scannedMovies, signIn, startServer } from './server-process.ts'
import { clip } from '../../fixtures/clips.ts'
import { HTTP_RULES, type HttpAnswer } from '../../media/validator/http-rules.ts'
import { judge } from '../../media/validator/rule.ts'
import { fetchServed } from '../../media/validator/served.ts'
import { verdictOn } from '../../media/validator/verdict.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.test('a film that the server serves breaks no rule of playlists, segments, subtitles and their headers', async (t) => {
  const folder = testFolder(t)
  const [dataDir, media] = [join(folder, 'data'), join(folder, 'media')]
  await mkdir(dataDir)
  await mkdir(media)
  await copyFile(await clip('late-aac.ts'), join(media, 'Late (2010).ts'))
  await writeFile(join(media, 'Late (2010).en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nOne\n')
  const server = await startServer({ dataDir, media, env: process.env['FFMPEG_PATH'] ? { FFMPEG_PATH: process.env['FFMPEG_PATH'] } : {} })
  t.teardown(() => server.child.kill('SIGKILL'))
  const api = await signIn(server.url)
  const movie = (await scannedMovies(api)).get('Late')
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
  t.strictSame(served.renditions.map(({ name }) => name).slice(0, 1), ['original'])
  t.equal(served.subtitles.length, 1)
})
