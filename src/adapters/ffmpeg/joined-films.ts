/** Remembers which films are joined from parts with clocks of their own, for as long as their files are the same. */
import { statMedia } from '../../drives/media-files.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { abortable } from '../../concurrency/timeout.ts'
import { isUnquotable } from '../../ffmpeg/inputs.ts'
import { readJoinedParts, type JoinedFilm } from '../containers/joined-parts.ts'

/** Undefined if one clock runs through the film, or that cannot be found out. */
export type FindJoined = (path: string) => Promise<JoinedFilm | undefined>

interface Known {
  readonly version: string
  readonly joined: Promise<JoinedFilm | undefined>
}

const KEPT_FILMS = 1_000
/** Some hundred reads from a drive that has to spin up. */
const TIMEOUT_MS = 30_000

export function createJoinedFilms(): FindJoined {
  const films = createLruCache<Known>(KEPT_FILMS)

  async function find(path: string, signal: AbortSignal): Promise<JoinedFilm | undefined> {
    const stats = await statMedia(path)
    if (!stats.isFile()) return undefined
    const version = `${stats.size} ${stats.mtimeMs} ${stats.ino}`
    const known = films.get(path)
    if (known?.version === version) return known.joined
    const joined = readJoinedParts(path, signal).catch(() => {
      films.remove(path)
      return undefined
    })
    films.put(path, { version, joined })
    return joined
  }

  return async (path) => {
    if (isUnquotable(path)) return undefined
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // A network drive may never answer.
    return abortable(find(path, signal), signal).catch(() => undefined)
  }
}
