/** Trickplay store: sheets of small pictures of films, by the fingerprint of the file: whole or not there. */
import type { TrickplayPlan } from '../vocabulary/trickplay.ts'

export interface TrickplaySet {
  readonly fingerprint: string
  /** When it was made, or last shown, as far as that is noted: to the hour. Milliseconds since the epoch. */
  readonly usedAt: number
  readonly sizeBytes: number
}

export interface SheetPlace {
  /** Of one of its pictures, as the plan has it: another one has no sheets. */
  readonly width: number
  readonly sheet: number
}

/** What a set is made of, until it is whole. */
export interface TrickplayDraft {
  /** The next sheet, a JPEG. @throws what the disk says */
  add(sheet: Uint8Array): Promise<void>
}

export type TrickplayKept =
  | 'kept'
  /** It could not be made. */
  | 'failed'
  /** The disk, or what may be taken of it, is full. */
  | 'no-room'

export interface TrickplayStore {
  plan(fingerprint: string): Promise<TrickplayPlan | undefined>
  /** A use. */
  sheet(fingerprint: string, place: SheetPlace): Promise<Uint8Array | undefined>
  /**
   * Keeps what `make` adds and describes; undefined: it could not. `evicts`: whether what was not used for longest makes room.
   * @throws what `make` throws; then nothing of it is left
   */
  keep(fingerprint: string, make: (draft: TrickplayDraft) => Promise<Drafted | undefined>, evicts: boolean): Promise<TrickplayKept>
  /** All of them, the longest unused first. */
  sets(): Promise<readonly TrickplaySet[]>
  remove(fingerprint: string): Promise<void>
  /** Removes what was cut short. Nobody else may be making sets. */
  sweep(): Promise<void>
}

/** A plan but for what follows from the sheets. */
export type Drafted = Omit<TrickplayPlan, 'sheetBytes'>
