/**
 * Grid: where the segments of a rendition start. In milliseconds on the output timeline, whose zero is the film's first frame or audio sample.
 * It is absolute and fixed before anything is made, so that a segment is the same whichever run makes it.
 */
export type Grid =
  | { readonly type: 'even'; readonly stepMs: number; readonly count: number; readonly endMs: number }
  | { readonly type: 'listed'; readonly startsMs: readonly number[]; readonly endMs: number }

/** Length of an encoded or an audio segment, and the minimum length of a copied one. */
export const EVEN_STEP_MS = 2_000
export const COPY_STEP_MS = 4_000

/** Rounding of container timestamps: content up to this much before a boundary counts as after it. */
export const TOLERANCE_MS = 1

/** A shorter remainder at the end joins the previous segment. */
const LEAST_TAIL_MS = 1_000
/** FNV-1a, 32 bits. */
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Video that ends this much before the film is not short but damaged: the missing part gets segments of its own. */
const MOST_TAIL_MS = 10_000

/**
 * Even segments up to the end of the video; the last one extends to the film's end, so that no segment is empty because the video ends
 * slightly before the audio.
 */
export function evenGrid(durationMs: number, contentEndMs = durationMs, stepMs = EVEN_STEP_MS): Grid {
  const lastMs = durationMs - contentEndMs > MOST_TAIL_MS ? durationMs : Math.min(durationMs, contentEndMs)
  const whole = Math.floor(lastMs / stepMs)
  const tail = lastMs - whole * stepMs >= Math.min(LEAST_TAIL_MS, stepMs / 2) ? 1 : 0
  return { type: 'even', stepMs, count: Math.max(1, whole + tail), endMs: durationMs }
}

/**
 * Greedy: the next segment starts with the first group of pictures at least COPY_STEP_MS after the start of this one. The first group is in
 * the first segment, however late it is, and the last segment extends to the film's end: so every segment has a frame.
 */
export function copyGrid(groupsMs: readonly number[], durationMs: number): Grid {
  const startsMs = [0]
  for (const atMs of groupsMs.slice(1)) {
    if (atMs >= (startsMs.at(-1) ?? 0) + COPY_STEP_MS && durationMs - atMs >= LEAST_TAIL_MS) startsMs.push(atMs)
  }
  return { type: 'listed', startsMs, endMs: durationMs }
}

/**
 * Divides a copy's segments into parts of about EVEN_STEP_MS: each boundary of the copy is also a boundary here, so that a player can
 * switch between the two without gaps. If the video ends slightly before the film, the last part extends to the film's end, as in an even
 * grid.
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

/** A name that is equal for two grids only if they are equal. Letters, digits and dashes. */
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

/** The segment that contains a time; the first or the last one for times outside the film. */
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

/** Lengths in seconds for EXTINF: rounded so that every sum of neighbours is exact to a microsecond. */
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
