/**
 * Runs a larger site behind a proxy, with players that each watch a different film in a separate session. The agents transcode for them,
 * and they report their positions every few seconds.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { startProxy, type Passed } from '../cluster/proxy.ts'
import type { ClusterServers } from '../cluster/servers.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { follow, type Following } from '../players/following.ts'
import type { Movie, LivePlayer } from '../players/live.ts'
import { freePort } from '../../fakes/server.ts'
import { scannedMovies, SETTINGS, signIn, type Api } from './server-process.ts'

export type OpenPlayer = (film: Movie) => Promise<LivePlayer>

export interface PlayersFixture {
  readonly cluster: Cluster
  readonly servers: ClusterServers
  readonly api: Api
  /** Requests through the proxy. */
  readonly passed: readonly Passed[]
  /** Of all sessions that were ever started. */
  readonly sessionIds: readonly string[]
  /** The folder of all data and working folders of its programs. */
  readonly folder: string
  /** A player of a film that nobody has played: none of its segments exist yet. Settles when the video advances. */
  seat(open: OpenPlayer): Promise<Seat>
  close(): Promise<readonly string[]>
}

export interface Seat {
  readonly sessionId: string
  readonly player: LivePlayer
  readonly following: Following
  /** From the session's start until the video advanced. */
  readonly startS: number
  readonly beats: readonly Beat[]
  /** Ends the player and the session. */
  leave(): Promise<void>
}

export interface Beat {
  readonly atMs: number
  /** 0: no response. */
  readonly status: number
}

const FRAMES_PER_SECOND = 24
/** A film is much longer than anybody watches, so that work ahead does not reach its end. */
const CLIP_S = 20
const CLIPS = 15
const BEAT_MS = 3000
const BEAT_ANSWER_MS = 10_000
const START_MS = 45_000
const END_TRIES = 10
const END_PAUSE_MS = 1000
/** Lower than the film's, so that its video is transcoded. */
const MAX_HEIGHT = 240

export interface PlayersFixtureOptions {
  readonly servers: ClusterServers
  readonly folder: string
  /** Total number of players. */
  readonly seats: number
}

export async function openPlayersFixture({ servers, folder, seats }: PlayersFixtureOptions): Promise<PlayersFixture> {
  const [media, data] = [join(folder, 'media'), join(folder, 'data')]
  await makeMediaFiles(media, seats)
  const secret = randomBytes(32).toString('hex')
  const env = { ...SETTINGS, MARQUEE_LOG_LEVEL: 'warn' }
  const port = await freePort()
  // Agents have no mounted films: they fetch them through the proxy, like players.
  const agentEnv = () => ({ MARQUEE_API_URL: `http://127.0.0.1:${port}`, MARQUEE_PATH_MAP: `${media}=${join(folder, 'not mounted')}` })
  const cluster = await startCluster({ servers, secret, folder: data, media, env, agentEnv, apis: 2, projectors: 2, agents: 2 })
  const passed: Passed[] = []
  const proxy = await startProxy({ nodes: cluster.apis.map(({ url }) => url), port, passed: (one) => passed.push(one) })
  const close = async () => {
    await proxy.close()
    return cluster.end()
  }
  try {
    await cluster.ready()
    const api = await signIn(proxy.url)
    const unseen = [...(await scannedMovies(api)).values()].map(({ id }) => id)
    const sessionIds: string[] = []
    const seat = async (open: OpenPlayer) => {
      const taken = await takeSeat(open, { api, url: proxy.url, movieId: unseen.pop() ?? '' })
      sessionIds.push(taken.sessionId)
      return taken
    }
    return { cluster, servers, api, passed, sessionIds, folder: data, seat, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** The same content, in files that differ by a tag, so that each is a separate film. */
async function makeMediaFiles(folder: string, count: number): Promise<void> {
  const { ffmpeg } = await programs
  mkdirSync(folder, { recursive: true })
  const video = { width: 640, height: 360, fps: FRAMES_PER_SECOND, keyframeInterval: 4 * FRAMES_PER_SECOND }
  const clip = await makeClip({ path: join(folder, '..', 'clip.mp4'), seconds: CLIP_S, ...video })
  for (let n = 1; n <= count; n++) {
    const tagged = ['-map', '0', '-c', 'copy', '-metadata', `comment=${n}`, join(folder, `Film ${n} (2001).mp4`)]
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-stream_loop', String(CLIPS - 1), '-i', clip, ...tagged], { timeout: START_MS })
  }
}

interface Ticket {
  readonly api: Api
  readonly url: string
  readonly movieId: string
}

async function takeSeat(open: OpenPlayer, { api, url, movieId }: Ticket): Promise<Seat> {
  const beganMs = performance.now()
  const answer = await api.send('POST', '/v1/playback/sessions', { movieId, capabilities: { maxHeight: MAX_HEIGHT } })
  const session = answer.json as unknown as { id: string; masterPlaylistUrl: string; streamToken: string; qualities: { method: string }[] }
  if (session.qualities?.some(({ method }) => method !== 'transcode') ?? true) throw new Error(`Not made: ${JSON.stringify(answer)}`)
  const path = `/v1/playback/sessions/${session.id}`
  const master = `${url}${session.masterPlaylistUrl}?token=${session.streamToken}`
  const player = await open({ master, framesPerSecond: FRAMES_PER_SECOND })
  const following = follow(player)
  const { beats, stop } = startBeats(`${url}${path}/heartbeat`, api.token, () => following.viewing().last.positionS)
  async function leave(): Promise<void> {
    stop()
    await following.stop()
    await player.close()
    await endSession(api, path)
  }
  try {
    await following.started(START_MS)
  } catch (cause) {
    await leave()
    throw cause
  }
  return { sessionId: session.id, player, following, startS: (performance.now() - beganMs) / 1000, beats, leave }
}

/** Waits within bounds; a session that stays is found among the active ones. */
async function endSession(api: Api, path: string): Promise<void> {
  for (let tries = 0; tries < END_TRIES; tries++) {
    const { status } = await api.send('DELETE', path).catch(() => ({ status: 0 }))
    if (status === 204 || status === 404) return
    await sleep(END_PAUSE_MS)
  }
}

/** Sends heartbeats like a player: after a failure it retries at the next interval. */
function startBeats(url: string, token: string, positionS: () => number): { readonly beats: readonly Beat[]; readonly stop: () => void } {
  const beats: Beat[] = []
  async function beat(): Promise<void> {
    const signal = AbortSignal.timeout(BEAT_ANSWER_MS)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ position: Math.max(0, positionS()), playState: 'playing' })
    const status = await fetch(url, { method: 'POST', headers, body, signal })
      .then(async (heard) => {
        await heard.text()
        return heard.status
      })
      .catch(() => 0)
    beats.push({ atMs: performance.now(), status })
  }
  const beating = setInterval(() => void beat(), BEAT_MS)
  return { beats, stop: () => clearInterval(beating) }
}
