/** Runs a server for playing films, with a browser for the duration of a test, and sessions that are kept alive. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { signIn, startServer, type Api } from '../whole/server-process.ts'
import { openBrowserPlayers, type Cinema } from './browser.ts'

const BEAT_MS = 10_000

export interface PlayersServer {
  readonly api: Api
  readonly url: string
}

/** A session, as far as players need it. */
export interface Seat {
  readonly id: string
  /** Absolute URL, with the token. */
  readonly master: string
  readonly trickplayUrl: string | null
  readonly qualities: readonly { readonly height: number; readonly method: string }[]
  /** Turns a path from the server into an absolute URL with the token. */
  urlOf(path: string): string
  leave(): Promise<void>
}

/** Its data is in the folder. */
export async function openPlayersServer(
  t: Test,
  { folder, media }: { readonly folder: string; readonly media: string },
): Promise<PlayersServer> {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const server = await startServer({ dataDir, media })
  t.teardown(() => server.end('SIGTERM'))
  return { api: await signIn(server.url), url: server.url }
}

export async function cinemaFor(t: Test, browser: string): Promise<Cinema> {
  const cinema = await openBrowserPlayers(browser)
  t.teardown(() => cinema.close())
  return cinema
}

/** Sends heartbeats until it is left. */
export async function takeSeat(
  { api, url }: PlayersServer,
  wish: { readonly movieId: string; readonly capabilities?: object },
): Promise<Seat> {
  const { json } = await api.send('POST', '/v1/playback/sessions', wish)
  const session = json as unknown as Omit<Seat, 'master'> & { readonly masterPlaylistUrl: string; readonly streamToken: string }
  const own = `/v1/playback/sessions/${session.id}`
  const beats = setInterval(() => void api.send('POST', `${own}/heartbeat`, { position: 0 }), BEAT_MS)
  const urlOf = (path: string) => `${url}${path}?token=${session.streamToken}`
  return {
    ...session,
    master: urlOf(session.masterPlaylistUrl),
    urlOf,
    async leave() {
      clearInterval(beats)
      await api.send('DELETE', own)
    },
  }
}
