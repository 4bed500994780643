/** One viewing of a soak run: a session that plays by segments or the file itself, seeks, sends heartbeats, and ends or vanishes. */
import type { Caller } from './caller.ts'

interface Started {
  readonly id: string
  readonly duration: number
  readonly qualities: readonly { readonly name: string; readonly method: string }[]
  readonly subtitles: readonly { readonly url: string }[]
}

export interface Viewing {
  readonly movieId: string
  readonly way: 'copied' | 'encoded' | 'direct'
  /** The player disappears without ending its session. */
  readonly vanishes: boolean
}

const SEGMENTS = 3
const FIRST_BYTES = 'bytes=0-524287'

export async function view(caller: Caller, { movieId, way, vanishes }: Viewing): Promise<void> {
  const session = await start(caller, { movieId, way })
  if (!session) return
  const beat = (position: number, sequence: number) =>
    caller.send('POST', `/v1/playback/sessions/${session.id}/heartbeat`, { position, playState: 'playing', sequence })
  await beat(0, 1)
  if (way === 'direct') await caller.bytes(`/api/stream/${session.id}/file`, { range: FIRST_BYTES })
  else await watchSegments(caller, session, way)
  const middle = Math.floor(session.duration / 2)
  await caller.send('POST', `/v1/playback/sessions/${session.id}/seek`, { position: middle })
  await beat(middle, 2)
  for (const { url } of session.subtitles.slice(0, 1)) await caller.bytes(url)
  if (!vanishes) await caller.send('DELETE', `/v1/playback/sessions/${session.id}`)
}

/** All segments of the first quality; the session goes on for as long as it takes. */
export async function playThrough(caller: Caller, movieId: string): Promise<void> {
  const session = await start(caller, { movieId, way: 'copied' })
  const quality = session?.qualities[0]
  if (!session || !quality) return
  for (const [n, segment] of (await segmentsOf(caller, session, quality.name)).entries()) {
    const beat = { position: 0, playState: 'playing', sequence: n + 1 }
    if (n % SEGMENTS === 0) await caller.send('POST', `/v1/playback/sessions/${session.id}/heartbeat`, beat)
    await caller.bytes(segment)
  }
  await caller.send('DELETE', `/v1/playback/sessions/${session.id}`)
}

async function start(caller: Caller, { movieId, way }: Pick<Viewing, 'movieId' | 'way'>): Promise<Started | undefined> {
  const { status, json } = await caller.send('POST', '/v1/playback/sessions', { movieId, client: { name: 'Soak', device: way } })
  return status === 201 ? (json as unknown as Started) : undefined
}

/** Paths. */
async function segmentsOf(caller: Caller, { id }: Started, quality: string): Promise<readonly string[]> {
  await caller.bytes(`/api/stream/${id}/master.m3u8`)
  const playlist = await caller.bytes(`/api/stream/${id}/${quality}/playlist.m3u8`)
  const lines = playlist.split('\n').filter((line) => line.includes('.m4s'))
  return lines.map((line) => `/api/stream/${id}/${quality}/${line.trim()}`)
}

/** The first segments, and one behind a seek. */
async function watchSegments(caller: Caller, session: Started, way: 'copied' | 'encoded'): Promise<void> {
  const lowest = session.qualities.findLast(({ method }) => method === 'transcode')
  const quality = (way === 'encoded' ? lowest : undefined) ?? session.qualities[0]
  if (!quality) return
  const segments = await segmentsOf(caller, session, quality.name)
  const chosen = [...segments.slice(0, SEGMENTS), ...segments.slice(segments.length >> 1, (segments.length >> 1) + 1)]
  for (const segment of new Set(chosen)) await caller.bytes(segment)
}
