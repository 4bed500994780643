/** Plays films through playlists over HTTP with ffmpeg as the player, from a server with three routes. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execa } from 'execa'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import { isUnavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import { parseQuality, parseQualityFile } from '../../../src/domain/streaming/stream-name.ts'
import { testPrograms } from '../../fixtures/media-files.ts'
import type { EngineFixture } from '../engine-fixture.ts'

export interface Shown {
  readonly seconds: number
  readonly frames: number
  readonly errors: readonly string[]
}

const TRIES = 12
const token = 'user:session:1:00'

/** Plays one variant of a film with its first audio track, from start to end. */
export async function show(fixture: EngineFixture, source: StreamSource, variant: string): Promise<Shown> {
  const refused: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    response.on('close', () => response.statusCode === 200 || refused.push(`${response.statusCode} ${url}`))
    void answer(fixture, source, { url, variant, response })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/master.m3u8`
  const [frame, audio] = [await play(url, '0:v:0'), await play(url, '0:a:0?')]
  server.closeAllConnections()
  server.close()
  const errors = [...frame.errors, ...audio.errors]
  // ffmpeg's messages about a rejection do not name the rejected request.
  return {
    seconds: Math.max(frame.seconds, audio.seconds),
    frames: frame.frames,
    errors: errors.length === 0 ? [] : [...errors, ...refused],
  }
}

/** One track at a time: ffmpeg's output for two at once differs between versions. */
async function play(url: string, map: string): Promise<Shown> {
  const { ffmpeg } = await testPrograms()
  const args = ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-i', url, '-map', map, '-f', 'null', '-']
  const { stdout, stderr, exitCode } = await execa(ffmpeg, args, { reject: false, timeout: 120_000 })
  const last = (name: string) => Number([...stdout.matchAll(new RegExp(`^${name}=(\\d+)`, 'gm'))].at(-1)?.[1] ?? 0)
  const nothing = stderr.includes('does not contain any stream')
  const errors = [...stderr.split('\n').filter(Boolean), ...(exitCode === 0 ? [] : [`exit ${exitCode}`])]
  return { seconds: last('out_time_us') / 1e6, frames: last('frame'), errors: nothing ? [] : errors }
}

interface Wanted {
  readonly url: string
  readonly variant: string
  readonly response: ServerResponse
}

async function answer(fixture: EngineFixture, source: StreamSource, { url, variant, response }: Wanted): Promise<void> {
  const abort = new AbortController()
  response.on('close', () => abort.abort(new Error('The player has gone')))
  const ask = { viewer: 'player', signal: abort.signal }
  const [, first = '', second = ''] = new URL(url, 'http://here').pathname.split('/')
  try {
    const body =
      first === 'master.m3u8'
        ? only(variant, await fixture.engine.master(source, token, ask))
        : await patiently(() => file(fixture, source, { first, second, ask }))
    const status = body === undefined ? 404 : typeof body !== 'string' && isUnavailable(body) ? (body.missing ? 404 : 503) : 200
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'application/vnd.apple.mpegurl' : 'video/iso.segment' })
    response.end(status === 200 ? body : undefined)
  } catch {
    response.destroy()
  }
}

/** ffmpeg gives up at the first 503, and reports missing codec parameters; real players retry, as `Retry-After` requests. */
async function patiently<Answer extends Awaited<ReturnType<typeof file>>>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  for (let tries = 1; tries < TRIES && isNotYet(answer); tries++) answer = await ask()
  return answer
}

const isNotYet = (answer: Awaited<ReturnType<typeof file>>): boolean =>
  typeof answer === 'object' && isUnavailable(answer) && !answer.missing

async function file(
  fixture: EngineFixture,
  source: StreamSource,
  { first, second, ask }: { readonly first: string; readonly second: string; readonly ask: { viewer: string; signal: AbortSignal } },
) {
  const quality = parseQuality(first)
  const name = parseQualityFile(second)
  if (!quality || !name) return undefined
  const { engine } = fixture
  if (name.type === 'playlist') return engine.mediaPlaylist(source, quality, token)
  if (name.type === 'iframe-playlist') return engine.iframePlaylist(source, quality, token)
  if (name.type === 'init') return engine.init(source, quality, ask)
  const place = { quality, segment: name.segment }
  return name.type === 'segment' ? engine.segment(source, place, ask) : engine.iframe(source, place, ask)
}

/** The master with one variant, so that the player has no choice. */
function only(variant: string, master: string): string {
  return master.replace(/#EXT-X-STREAM-INF:.*\n(.*)\n/g, (both: string, uri: string) => (uri.startsWith(`${variant}/`) ? both : ''))
}
