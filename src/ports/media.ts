/**
 * Media: films and what lies beside them on disk, looked at but never changed.
 */
import type { FileStamp, MediaDescription } from '../vocabulary/media-description.ts'

export type RootHealth =
  /** `empty`: nothing to see in it. */
  | { readonly available: true; readonly device: number; readonly empty: boolean }
  | { readonly available: false; readonly reason: 'missing' | 'unreadable' | 'not-a-folder' }

export interface ListedFile extends FileStamp {
  readonly name: string
  readonly path: string
}

/** One folder with its files: a film, and what may belong to it. */
export interface ListedFolder {
  readonly path: string
  readonly files: readonly ListedFile[]
}

/**
 * Times of a film, milliseconds with fraction, counted from the file's own zero: the presentation time of the first packet of
 * its first video track or of its first audio track, whichever comes earlier, in the order of the file. Packets that the
 * container tells players to drop (an edit list, an encoder's priming) do not make the zero.
 */
export interface MediaIndex {
  /** The zero as a timestamp of the container (what `-copyts` shows): time in the file = `zeroMs` + any time below. */
  readonly zeroMs: number
  /**
   * Presentation times of the first video track's keyframes, rising. One before 0 is never shown, but what is shown first
   * needs it.
   */
  readonly keyframesMs: readonly number[]
  /** Presentation time of the first video and of the first audio packet, and where the last video packet shown ends. */
  readonly videoStartMs: number
  readonly audioStartMs: number | null
  readonly videoEndMs: number
  /** Where in the file each keyframe's packet lies, in the order of `keyframesMs`: its first byte, or that of the block around it. */
  readonly keyframeOffsets?: readonly (number | null)[]
  /**
   * By how much the pictures of each keyframe's group are shown before the keyframe itself, in the order of `keyframesMs`: pictures
   * that lead an open group. Missing where none does.
   */
  readonly keyframeLeadsMs?: readonly number[]
  /** What each keyframe is, in the order of `keyframesMs`. Missing where all are closed. */
  readonly keyframeKinds?: readonly KeyframeKind[]
  /** The longest way from a keyframe to the next one, or to the end. */
  readonly largestGopMs?: number
  /**
   * The most pictures a second in any group of pictures that was looked into: slides have fewer than their container states. Missing
   * when no group was.
   */
  readonly framesPerSecond?: number
  /** Picture and sound, in the order of the file, as far as its header tells; missing for containers whose headers are not read. */
  readonly tracks?: readonly TrackFacts[]
  /** Picture or sound is put together from several stretches of the file: its packets come in no order of time, some of them twice. */
  readonly isSpliced?: boolean
}

/**
 * `closed`: a decoder that begins with it shows all that comes from there on. `open`: it stands alone, but pictures around it may need
 * earlier ones. `unclear`: not even that is known (gradual refresh, or it could not be looked at).
 */
export type KeyframeKind = 'closed' | 'open' | 'unclear'

/** What a container says for decoders and screens. */
export interface TrackFacts {
  readonly type: 'video' | 'audio'
  readonly configuration: CodecConfiguration | null
  readonly hdr: HdrFacts | null
}

/** Boxes of ISO/IEC 14496-15 and their kin without the box header; `asc` is a bare AudioSpecificConfig. */
export interface CodecConfiguration {
  readonly type: 'avcC' | 'hvcC' | 'av1C' | 'vpcC' | 'esds' | 'asc' | 'dac3' | 'dec3' | 'dOps' | 'dfLa'
  readonly bytes: Uint8Array
}

export interface HdrFacts {
  readonly mastering: MasteringDisplay | null
  /** MaxCLL and MaxFALL, candela per square metre. */
  readonly contentLight: { readonly peakNits: number; readonly averageNits: number } | null
  readonly dolbyVision: { readonly profile: number; readonly level: number; readonly compatibilityId: number } | null
}

/** SMPTE ST 2086: CIE 1931 x and y, candela per square metre. */
export interface MasteringDisplay {
  readonly red: Chromaticity
  readonly green: Chromaticity
  readonly blue: Chromaticity
  readonly whitePoint: Chromaticity
  readonly leastNits: number
  readonly mostNits: number
}

export type Chromaticity = readonly [x: number, y: number]

export interface Media {
  health(root: string): Promise<RootHealth>
  /**
   * Every folder from a root down that holds files, parents first, in code point order; hidden ones left out, links followed
   * once. What cannot be read is passed to `problem`: a file missing below such a path may still be there.
   * @throws Error the root itself cannot be read
   */
  list(
    root: string,
    options: { readonly signal: AbortSignal; readonly onError: (path: string, message: string) => void },
  ): AsyncIterable<ListedFolder>
  /** Size, time and inode of a file; undefined when it is not there. */
  stamp(path: string): Promise<FileStamp | undefined>
  /** SHA-256 over size, first and last 64 KiB, hex. */
  fingerprint(path: string): Promise<string>
  /** @throws NotPlayable the file is no film, cannot be read or takes too long; its message says why in plain words, without its path */
  probe(path: string, signal: AbortSignal): Promise<MediaDescription>
  /** Kept for ever under the fingerprint; made from the container's own tables where it is not there yet, else by a packet scan. */
  index(path: string, fingerprint: string, signal: AbortSignal): Promise<MediaIndex>
  /** Whether `index` has one at hand. */
  hasIndex(fingerprint: string): Promise<boolean>
  /** Whole bytes of a small file (`.nfo`, subtitles, pictures); undefined when it is larger than the limit or unreadable. */
  readSmall(path: string, limitBytes: number): Promise<Uint8Array | undefined>
}

export class NotPlayable extends Error {
  readonly code = 'not-playable'
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'NotPlayable'
  }
}
