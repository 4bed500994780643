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
  const started = await caller.send('POST', '/v1/playback/sessions', { movieId, client: { name: 'Soak', device: way } })
  if (started.status !== 201) return
  const session = started.json as unknown as Started
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

/** The first segments, and one behind a seek. */
async function watchSegments(caller: Caller, { id, qualities }: Started, way: 'copied' | 'encoded'): Promise<void> {
  const lowest = qualities.findLast(({ method }) => method === 'transcode')
  const quality = (way === 'encoded' ? lowest : undefined) ?? qualities[0]
  if (!quality) return
  await caller.bytes(`/api/stream/${id}/master.m3u8`)
  const playlist = await caller.bytes(`/api/stream/${id}/${quality.name}/playlist.m3u8`)
  const segments = playlist.split('\n').filter((line) => line.includes('.m4s'))
  const chosen = [...segments.slice(0, SEGMENTS), ...segments.slice(segments.length >> 1, (segments.length >> 1) + 1)]
  for (const segment of new Set(chosen)) await caller.bytes(`/api/stream/${id}/${quality.name}/${segment.trim()}`)
}
