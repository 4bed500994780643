/**
 * Segment store: what was made of films, kept beyond the process that made it. A place to save work, not a place to rely on: what is
 * put may be gone at any time, and nothing waits for it to be written.
 */

/** In the place of a segment's number: the init segment of the rendition. */
export const INIT = -1

/** Segments from one through another. */
export interface SegmentRange {
  readonly from: number
  readonly through: number
}

export interface WatchedRange extends SegmentRange {
  /** The segments that the viewer needs next: held even where there is no room for the rest. */
  readonly next: SegmentRange
}

export interface RenditionCacheKey {
  /** 32 hex digits each. */
  readonly source: string
  readonly rendition: string
  /** What a segment costs to make again, against others: a whole number, 0 for a copy. */
  readonly cost: number
}

/** Calls back once, when bytes that were lent are not looked at any more; never, where that cannot be told. */
export type Until = (returned: () => void) => void

/** The segments of one rendition. */
export interface RenditionCache {
  has(segment: number): boolean
  /**
   * Undefined when it is not there (any more), or cannot be read. With `until` the bytes may be lent: they are what was asked for
   * until it calls back, and anything from then on.
   */
  get(segment: number, until?: Until): Promise<Uint8Array | undefined>
  /** Returns at once. */
  put(segment: number, bytes: Uint8Array): void
  /** Forgets all that is there. */
  clear(): void
  /** The rendition is not in use for now. */
  close(): void
}

export interface SegmentStore {
  /** Settles when what an earlier process left is known. */
  ready(): Promise<void>
  /** `watched` tells what its viewers are near to, which is removed last. */
  open(place: RenditionCacheKey, watched: () => readonly WatchedRange[]): RenditionCache
  /** Settles when what was put lately is written. */
  close(): Promise<void>
}
