/** Kills everything at once in the middle of a load; after the next start every acknowledged command is there. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { makeClip } from '../../fixtures/media-files.ts'
import { acknowledgedIn, compareWithLog } from './load-record.ts'
import { startLoad } from './load.ts'
import { scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'
import { readWholeLog } from './whole-log.ts'

const FILMS = 4
/** The kill follows this many acknowledged commands, in the middle of further ones. */
const COMMANDS = 100
const PATIENCE_MS = 30_000
const END_MS = 5_000

inEachTopology('SIGKILL under load loses nothing that was answered 2xx, and doubles nothing', {}, async (t, installation) => {
  const media = join(installation.folder, 'media')
  mkdirSync(media)
  for (let n = 0; n < FILMS; n++)
    await makeClip({ path: join(media, `Film ${n} (200${n}).mp4`), seconds: 60 + n, width: 64, height: 48, fps: 5 })
  const first = await installation.start({ media })
  const before = await signIn(first.url)
  const movies = [...(await scannedMovies(before)).values()].map(({ id }) => id)
  t.equal(movies.length, FILMS)

  const load = startLoad({ viewers: [{ url: first.url, api: before }], movies, pauseMs: 0 })
  const { record } = load
  for (let waitedMs = 0; acknowledgedIn(record) < COMMANDS && waitedMs < PATIENCE_MS; waitedMs += 20) await sleep(20)
  await first.end('SIGKILL')
  await load.stop()
  t.ok(acknowledgedIn(record) >= COMMANDS, `${acknowledgedIn(record)} commands were acknowledged`)
  t.ok(record.beats.size > 0 && record.marks.size > 0, 'heartbeats and marks')

  const second = await installation.start()
  const after = await signIn(second.url)
  for (const [key, marks] of record.marks) {
    const last = marks.at(-1)
    // Commands in flight at the kill may or may not be stored.
    if (!last?.acknowledged) continue
    const movie = await after.send('GET', `/v1/movies/${key.split(' ')[1]}`)
    t.equal(movie.json['watched'], last.watched, 'the last acknowledged mark holds')
  }
  const active = await after.send('GET', '/v1/playback/sessions/active?limit=100')
  const sessions = active.json['items'] as unknown as { id: string; position: number }[]
  for (const [id, beats] of record.beats) {
    const position = Math.round((sessions.find((session) => session.id === id)?.position ?? 0) * 1000)
    const last = beats.findLast(({ acknowledged }) => acknowledged)?.positionMs ?? 0
    t.ok(position >= last, `session ${id} stands at its last acknowledged heartbeat or later`)
  }
  t.equal(await second.end('SIGTERM'), 0)

  const log = await installation.openLog()
  t.strictSame(compareWithLog(record, await readWholeLog(log)), { lost: [], doubled: [] }, 'the log has each of them once')
  await log.close()
  t.notMatch(await processesAfter(media), media, 'no ffmpeg is left')
})

/** All running processes, once none uses this folder: child processes end a moment after their parent. */
async function processesAfter(folder: string): Promise<string> {
  const listed = async () => (await execa('ps', ['-eo', 'pid,args'])).stdout
  for (let waitedMs = 0; waitedMs < END_MS && (await listed()).includes(folder); waitedMs += 100) await sleep(100)
  return listed()
}
