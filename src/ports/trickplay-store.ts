/** Trickplay store: sheets of thumbnails of films, by the fingerprint of the file. A set is either complete or absent. */
import type { TrickplayPlan } from '../vocabulary/trickplay.ts'

export interface TrickplaySet {
  readonly fingerprint: string
  /** Time of creation or last use, as far as recorded, to the hour. Milliseconds since the epoch. */
  readonly usedAt: number
  readonly sizeBytes: number
}

export interface SheetPlace {
  /** Width of one thumbnail, as in the plan: another width has no sheets. */
  readonly width: number
  readonly sheet: number
}

/** Collects the sheets of a set until it is complete. */
export interface TrickplayDraft {
  /** Adds the next sheet, a JPEG. @throws the disk's error */
  add(sheet: Uint8Array): Promise<void>
}

export type TrickplayKept =
  | 'kept'
  /** It could not be made. */
  | 'failed'
  /** Our share of the disk is used up. */
  | 'no-room'
  /** The disk is full, or does not work: later it may. */
  | 'disk-trouble'

export interface TrickplayStore {
  plan(fingerprint: string): Promise<TrickplayPlan | undefined>
  /** Counts as a use. */
  sheet(fingerprint: string, place: SheetPlace): Promise<Uint8Array | undefined>
  /**
   * Keeps the sheets that `make` adds and describes; undefined: it could not make them. `evicts`: whether the least recently used sets are
   * removed to make room. @throws the error of `make`; then nothing is kept
   */
  keep(fingerprint: string, make: (draft: TrickplayDraft) => Promise<Drafted | undefined>, evicts: boolean): Promise<TrickplayKept>
  /** All of them, least recently used first. */
  sets(): Promise<readonly TrickplaySet[]>
  remove(fingerprint: string): Promise<void>
  /** Removes incomplete sets. No other process may be making sets meanwhile. */
  sweep(): Promise<void>
}

/** A plan without the members derived from the sheets. */
export type Drafted = Omit<TrickplayPlan, 'sheetBytes'>
