import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import t from 'tap'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSystemClock } from '../../src/adapters/system/clock.ts'
import { verifyLog } from '../../src/app/verification.ts'
import { decode } from '../../src/events/codec.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { START } from '../../src/events/position.ts'
import { makeClip } from '../films.ts'
import { scannedMovies, signIn, startServer, type Api } from './server-process.ts'

const FILMS = 4
/** The kill comes after so many answered heartbeats, in the middle of further ones. */
const BEATS = 60
const PATIENCE_MS = 30_000

/** What was answered with 2xx before the kill. */
interface Acknowledged {
  readonly beats: Map<string, number[]>
  readonly marks: Map<string, boolean>
}

async function load(api: Api, movies: readonly string[], done: Acknowledged, signal: AbortSignal): Promise<void> {
  const watch = async (movieId: string) => {
    const session = ((await api.send('POST', '/v1/playback/sessions', { movieId })).json as unknown as { id: string }).id
    for (let position = 0.1; !signal.aborted; position = Math.round((position + 0.001) * 1000) / 1000) {
      const { status } = await api.send('POST', `/v1/playback/sessions/${session}/heartbeat`, { position })
      if (status === 200) done.beats.set(session, [...(done.beats.get(session) ?? []), Math.round(position * 1000)])
    }
  }
  const mark = async (movieId: string) => {
    for (let watched = true; !signal.aborted; watched = !watched) {
      // What is in flight when the server dies may hold or not: it is forgotten until it is answered.
      done.marks.delete(movieId)
      const { status } = await api.send(watched ? 'PUT' : 'DELETE', `/v1/movies/${movieId}/watched`)
      if (status === 200) done.marks.set(movieId, watched)
    }
  }
  const [played, marked] = [movies.slice(0, FILMS / 2), movies.slice(FILMS / 2)]
  await Promise.allSettled([...played.map(watch), ...marked.map(mark)])
}

const beatsOf = (done: Acknowledged) => [...done.beats.values()].flat().length

async function eventsIn(file: string): Promise<readonly RecordedEvent[]> {
  const log = createSqliteEventLog({ clock: createSystemClock(), file })
  const head = await log.head()
  const events: RecordedEvent[] = []
  for await (const batch of log.follow(START, AbortSignal.timeout(30_000))) {
    for (const stored of batch) events.push(...[decode(stored)].filter((event) => event !== undefined))
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  const { problems } = await verifyLog(log, () => {}, AbortSignal.timeout(30_000))
  await log.close()
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return events
}

t.test('SIGKILL under load loses nothing that was answered 2xx, and doubles nothing', async (t) => {
  const folder = t.testdir({ media: {}, data: {} })
  const [media, dataDir] = [join(folder, 'media'), join(folder, 'data')]
  await makeClip({ path: join(media, 'Film 0 (2000).mp4'), seconds: 60, width: 64, height: 48, fps: 5 })
  for (let n = 1; n < FILMS; n++)
    await makeClip({ path: join(media, `Film ${n} (200${n}).mp4`), seconds: 60 + n, width: 64, height: 48, fps: 5 })
  const first = await startServer({ dataDir, media })
  t.teardown(() => first.child.kill('SIGKILL'))
  const before = await signIn(first.url)
  const movies = [...(await scannedMovies(before)).values()].map(({ id }) => id)
  t.equal(movies.length, FILMS)

  const stopping = new AbortController()
  const acknowledged: Acknowledged = { beats: new Map(), marks: new Map() }
  const loading = load(before, movies, acknowledged, stopping.signal)
  for (let waitedMs = 0; beatsOf(acknowledged) < BEATS && waitedMs < PATIENCE_MS; waitedMs += 20) await sleep(20)
  await first.end('SIGKILL')
  stopping.abort()
  await loading
  t.ok(beatsOf(acknowledged) >= BEATS, `${beatsOf(acknowledged)} heartbeats were answered`)

  const second = await startServer({ dataDir })
  t.teardown(() => second.child.kill('SIGKILL'))
  const after = await signIn(second.url)
  for (const [movieId, watched] of acknowledged.marks) {
    t.equal((await after.send('GET', `/v1/movies/${movieId}`)).json['watched'], watched, 'the last acknowledged mark holds')
  }
  const active =
    (await before.send('GET', `/v1/playback/sessions/active?limit=100`).catch(() => undefined)) ??
    (await after.send('GET', '/v1/playback/sessions/active'))
  const sessions = (active.json as unknown as { items: { id: string; position: number }[] }).items
  for (const [id, beats] of acknowledged.beats) {
    const position = Math.round((sessions.find((session) => session.id === id)?.position ?? 0) * 1000)
    t.ok(position >= (beats.at(-1) ?? 0), `session ${id} stands at its last acknowledged heartbeat or later`)
  }
  t.equal(await second.end('SIGTERM'), 0)

  const events = await eventsIn(join(dataDir, 'events.sqlite'))
  for (const [id, beats] of acknowledged.beats) {
    const stored = events.flatMap((event) =>
      event.type === 'PlaybackHeartbeat' && event.data.sessionId === id ? [event.data.positionMs] : [],
    )
    t.strictSame(stored.slice(0, beats.length), beats, 'every acknowledged heartbeat is in the log once, in order')
    t.ok(stored.length <= beats.length + 1, 'at most the one in flight besides')
  }
  const { stdout } = await execa('ps', ['-eo', 'pid,args'])
  t.notMatch(stdout, media, 'no ffmpeg is left')
})
