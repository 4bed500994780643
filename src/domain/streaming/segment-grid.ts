/**
 * Grid: where the segments of a rendition begin. Milliseconds on the output timeline, whose zero is the film's first picture or
 * sound. Absolute and fixed before anything is made, so that a segment is the same whatever run makes it.
 */
export type Grid =
  | { readonly type: 'even'; readonly stepMs: number; readonly count: number; readonly endMs: number }
  | { readonly type: 'listed'; readonly startsMs: readonly number[]; readonly endMs: number }

/** Length of a transcoded or a sound segment, and the least length of a copied one. */
export const EVEN_STEP_MS = 2_000
export const COPY_STEP_MS = 4_000

/** Rounding of container timestamps: a boundary holds for what comes up to this much before it. */
export const TOLERANCE_MS = 1

/** A remainder shorter than this at the end joins the segment before it. */
const LEAST_TAIL_MS = 1_000
/** FNV-1a, 32 bits. */
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** A picture that ends longer before the film than this is not short but damaged: what is missing gets segments of its own. */
const MOST_TAIL_MS = 10_000

/**
 * Even segments up to the end of the picture; the last one goes on to the film's end, so that no segment is empty because the
 * picture ends a little before the sound.
 */
export function evenGrid(durationMs: number, contentEndMs = durationMs, stepMs = EVEN_STEP_MS): Grid {
  const lastMs = durationMs - contentEndMs > MOST_TAIL_MS ? durationMs : Math.min(durationMs, contentEndMs)
  const whole = Math.floor(lastMs / stepMs)
  const tail = lastMs - whole * stepMs >= Math.min(LEAST_TAIL_MS, stepMs / 2) ? 1 : 0
  return { type: 'even', stepMs, count: Math.max(1, whole + tail), endMs: durationMs }
}

/**
 * Greedy: the next segment begins with the first group of pictures at least COPY_STEP_MS after the start of this one. The first group
 * is in the first segment whenever it comes, and the last segment goes on to the film's end: none is without a picture.
 */
export function copyGrid(groupsMs: readonly number[], durationMs: number): Grid {
  const startsMs = [0]
  for (const atMs of groupsMs.slice(1)) {
    if (atMs >= (startsMs.at(-1) ?? 0) + COPY_STEP_MS && durationMs - atMs >= LEAST_TAIL_MS) startsMs.push(atMs)
  }
  return { type: 'listed', startsMs, endMs: durationMs }
}

/**
 * A copy's segments in parts of about EVEN_STEP_MS: each boundary of the copy is one of these, so that a player may go from one
 * to the other and back with nothing missing. Where the picture ends a little before the film, the last part goes on to its end,
 * as in an even grid.
 */
export function alignedGrid(copy: Grid, contentEndMs = copy.endMs): Grid {
  const startsMs = Array.from({ length: segmentCount(copy) }, (_, segment) => {
    const startMs = startOf(copy, segment)
    const isLast = segment === segmentCount(copy) - 1
    const endMs = isLast && copy.endMs - contentEndMs <= MOST_TAIL_MS ? Math.min(copy.endMs, contentEndMs) : startOf(copy, segment + 1)
    const parts = Math.max(1, Math.round((endMs - startMs) / EVEN_STEP_MS))
    return Array.from({ length: parts }, (_, part) => startMs + ((endMs - startMs) * part) / parts)
  })
  return { type: 'listed', startsMs: startsMs.flat(), endMs: copy.endMs }
}

/** A name that two grids share only if they are the same. Letters, digits and dashes. */
export function gridName(grid: Grid): string {
  if (grid.type === 'even') return `${grid.stepMs}x${grid.count}-${Math.round(grid.endMs * 1000)}`
  let hash = FNV_START
  for (const ms of [...grid.startsMs, grid.endMs]) {
    const micros = Math.round(ms * 1000)
    hash = Math.imul(hash ^ (micros % 2 ** 16), FNV_PRIME)
    hash = Math.imul(hash ^ Math.floor(micros / 2 ** 16), FNV_PRIME)
  }
  return `${grid.startsMs.length}-${(hash >>> 0).toString(16).padStart(8, '0')}`
}

export function segmentCount(grid: Grid): number {
  return grid.type === 'even' ? grid.count : grid.startsMs.length
}

/** Start of a segment; the film's end for the one after the last. */
export function startOf(grid: Grid, segment: number): number {
  if (segment >= segmentCount(grid)) return grid.endMs
  return grid.type === 'even' ? segment * grid.stepMs : (grid.startsMs[segment] ?? grid.endMs)
}

/** The segment that holds a moment; the first or the last one for moments outside the film. */
export function segmentAt(grid: Grid, ms: number): number {
  const last = segmentCount(grid) - 1
  if (grid.type === 'even') return Math.min(last, Math.max(0, Math.floor(ms / grid.stepMs)))
  let low = 0
  let high = last
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((grid.startsMs[middle] ?? Infinity) <= ms) low = middle
    else high = middle - 1
  }
  return low
}

/** Lengths in seconds, as EXTINF: rounded so that every sum of neighbours is exact within a microsecond. */
export function segmentSeconds(grid: Grid): readonly number[] {
  const micros = (segment: number) => Math.round(startOf(grid, segment) * 1000)
  return Array.from({ length: segmentCount(grid) }, (_, segment) => (micros(segment + 1) - micros(segment)) / 1e6)
}

export function longestSegmentMs(grid: Grid): number {
  return 1000 * segmentSeconds(grid).reduce((a, b) => Math.max(a, b))
}

/** TARGETDURATION that all playlists of one master share. */
export function targetSeconds(grids: readonly Grid[]): number {
  return Math.ceil(grids.reduce((most, grid) => segmentSeconds(grid).reduce((a, b) => Math.max(a, b), most), 1))
}
