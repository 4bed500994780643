/**
 * Lets the server make what is about to be played, before the player changes to it: a segment that has to be transcoded first would
 * make the video stall.
 */
import type { Choice, Session } from './engine.ts'
import { soundOf } from './tracks.ts'

const LIMIT_MS = 15_000
/** Ahead of the position, seconds: what is playing goes on meanwhile, and the change is made at one of the segments that follow. */
const AHEAD_S = [2, 8]

/** Addresses of media playlists in a master playlist that a choice needs. */
export function playlistsFor(master: string, { quality, audio = 0 }: Choice): readonly string[] {
  const urls = [...master.matchAll(/^(?!#)\S+$/gm), ...master.matchAll(/^#EXT-X-MEDIA:TYPE=AUDIO\b.*\bURI="([^"]+)"/gm)].map(
    ([line, uri]) => uri ?? line,
  )
  const video = urls.find((url) => !url.startsWith('audio-') && (quality === undefined || url.startsWith(`${quality}/`)))
  const audioUrl = urls.find((url) => new RegExp(`^audio-${audio}(-\\w+)?/`).test(url))
  return [video, audioUrl].filter((url) => url !== undefined)
}

/** Address of the segment at a position of a media playlist. */
export function segmentAt(playlist: string, position: number): string | undefined {
  let end = 0
  let last: string | undefined
  for (const [, seconds, uri] of playlist.matchAll(/^#EXTINF:([\d.]+),.*\n(?:#.*\n)*(\S+)$/gm)) {
    end += Number(seconds)
    last = uri
    if (position < end) return uri
  }
  return last
}

/** Settles when it is there, or after a while all the same: the player then waits as for any other segment. */
export async function warmUp(session: Pick<Session, 'masterPlaylistUrl' | 'audio'>, choice: Choice, position: number): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const read = async (url: string): Promise<string> => (await fetch(url, { signal })).text()
  const base = new URL(session.masterPlaylistUrl, location.href)
  try {
    const playlists = playlistsFor(await read(base.href), { ...choice, audio: soundOf(session, choice.audio) })
    await Promise.all(
      playlists.map(async (playlist) => {
        const url = new URL(playlist, base)
        const text = await read(url.href)
        const segments = new Set(AHEAD_S.map((ahead) => segmentAt(text, position + ahead)).filter((segment) => segment !== undefined))
        await Promise.all([...segments].map(async (segment) => (await fetch(new URL(segment, url), { signal })).arrayBuffer()))
      }),
    )
  } catch {
    // The player itself requests missing segments again.
  }
}
