/**
 * Segment store: a cache of segments that outlives the process. It saves work but guarantees nothing: an entry may vanish at any time, and
 * nothing waits for writes.
 */

/** Used instead of a segment number: the init segment of the rendition. */
export const INIT = -1

/** Segments from one through another. */
export interface SegmentRange {
  readonly from: number
  readonly through: number
}

export interface WatchedRange extends SegmentRange {
  /** The segments that the viewer needs next: kept even if there is no room for the rest. */
  readonly next: SegmentRange
}

export interface RenditionCacheKey {
  /** 32 hex digits each. */
  readonly source: string
  readonly rendition: string
  /** Relative cost of making a segment again: a whole number, 0 for a copy. */
  readonly cost: number
}

/** Calls back once, when lent bytes are no longer used; never, if that cannot be detected. */
export type Until = (returned: () => void) => void

/** A file that holds one segment and nothing else. */
export interface SegmentFile {
  readonly path: string
  readonly sizeBytes: number
}

/** The segments of one rendition. */
export interface RenditionCache {
  has(segment: number): boolean
  /**
   * Undefined if it is missing or cannot be read. With `until` the bytes may be lent: they are valid until it calls back, and undefined
   * afterwards.
   */
  get(segment: number, until?: Until): Promise<Uint8Array | undefined>
  /** The segment's file, which counts as used; undefined if there is none, or if it is not known to be whole. */
  file?(segment: number): SegmentFile | undefined
  /** Returns at once. */
  put(segment: number, bytes: Uint8Array): void
  /** Deletes all its entries. */
  clear(): void
  /** The rendition is not in use for now. */
  close(): void
}

export interface SegmentStore {
  /** Settles when the entries of an earlier process are known. */
  ready(): Promise<void>
  /** `watched` returns the ranges near its viewers, which are evicted last. */
  open(place: RenditionCacheKey, watched: () => readonly WatchedRange[]): RenditionCache
  /** Space that the entries take, including those that are being written. */
  usedBytes(): number
  /** Settles when recent entries are written. */
  close(): Promise<void>
}
