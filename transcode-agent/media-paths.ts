/**
 * Finds films that are mounted on this machine, at the owner's path or below another folder. A file counts as the film if its size and time
 * match.
 */
import type { JobSource } from '../src/app/streaming/agents/agent-protocol.ts'
import { realpathMedia, statMedia } from '../src/drives/media-files.ts'
import { withTimeout } from '../src/concurrency/timeout.ts'
import type { Clock } from '../src/ports/clock.ts'

/** The owner's folder `from` is mounted here at `to`: absolute folders without a trailing slash, except `/`. */
export interface PathPair {
  readonly from: string
  readonly to: string
}

export type Found = { readonly type: 'found'; readonly path: string } | { readonly type: 'other-version' } | { readonly type: 'absent' }

export interface MediaPathsOptions {
  readonly pathMap: readonly PathPair[]
  /** Absolute folders; paths outside them, including through links, are not opened. Without roots every path is allowed. */
  readonly roots?: readonly string[] | undefined
  readonly clock: Clock
}

/** A lost network share may never answer. */
const STAT_MS = 300
/** Each check that hangs holds one of the few threads for file operations. */
const MAX_LOOKS = 2
/** File systems round times, the coarsest to two seconds. */
const TIME_TOLERANCE_MS = 2_000

/** Maps an owner's path to this machine; undefined for a path that could lead out of its folder. */
export function mappedPath(path: string, pathMap: readonly PathPair[]): string | undefined {
  if (!path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) return undefined
  const fitting = pathMap.filter(({ from }) => from === '/' || path === from || path.startsWith(`${from}/`))
  const [best] = fitting.toSorted((a, b) => b.from.length - a.from.length)
  return best ? `${bare(best.to)}${path.slice(bare(best.from).length)}` : path
}

const bare = (folder: string): string => (folder === '/' ? '' : folder)

/** Never rejects. */
export function createMediaPaths({ pathMap, roots, clock }: MediaPathsOptions): (source: JobSource) => Promise<Found> {
  let looks = 0

  /** Resolves links first if roots are configured. */
  async function lookAt(path: string) {
    const real = roots ? await realpathMedia(path) : path
    const isInside = !roots || roots.some((root) => real.startsWith(`${bare(root)}/`))
    return isInside ? { real, there: await statMedia(real) } : undefined
  }

  async function look(path: string) {
    looks++
    const looking = lookAt(path).finally(() => looks--)
    return withTimeout(looking, { clock, ms: STAT_MS, message: 'The disk does not answer' })
  }

  return async ({ path, sizeBytes, modifiedAtMs }) => {
    const place = mappedPath(path, pathMap)
    if (place === undefined || looks >= MAX_LOOKS) return { type: 'absent' }
    const seen = await look(place).catch(() => undefined)
    if (!seen?.there.isFile()) return { type: 'absent' }
    const { real, there } = seen
    const fits = there.size === sizeBytes && Math.abs(there.mtimeMs - modifiedAtMs) <= TIME_TOLERANCE_MS
    return fits ? { type: 'found', path: real } : { type: 'other-version' }
  }
}
