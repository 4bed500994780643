/**
 * Media: films and their companion files on disk, read but never changed.
 */
import type { FileStamp, MediaDescription } from '../vocabulary/media-description.ts'
import type { MediaPart } from '../vocabulary/media-part.ts'

export type RootHealth =
  /** `identity`: another one means that another folder is at this path. `empty`: it has no visible entries. */
  | { readonly available: true; readonly device: number; readonly identity: string; readonly empty: boolean }
  | { readonly available: false; readonly reason: 'missing' | 'unreadable' | 'not-a-folder' }

export interface ListedFile extends FileStamp {
  readonly name: string
  readonly path: string
}

/** One folder with its files: a film and possibly its companions. */
export interface ListedFolder {
  readonly path: string
  readonly files: readonly ListedFile[]
  /** Device number of their file system. Missing if all of them are links. */
  readonly device?: number | undefined
}

/**
 * Times of a film, milliseconds with fraction, counted from the file's own zero. The zero is the presentation time of the first packet of
 * the first video track or the first audio track, whichever is earlier, in the order of the file. Packets that the container marks to be
 * dropped (an edit list, an encoder's priming) do not define the zero.
 */
export interface MediaIndex {
  /** The zero as a timestamp of the container (as `-copyts` shows it): time in the file = `zeroMs` + any time below. */
  readonly zeroMs: number
  /**
   * Presentation times of the first video track's keyframes, increasing. One before 0 is never shown, but the first frame shown depends on
   * it.
   */
  readonly keyframesMs: readonly number[]
  /** Presentation times of the first video and the first audio packet, and the end of the last video packet shown. */
  readonly videoStartMs: number
  readonly audioStartMs: number | null
  readonly videoEndMs: number
  /** File offset of each keyframe's packet, in the order of `keyframesMs`: its first byte, or that of the surrounding block. */
  readonly keyframeOffsets?: readonly (number | null)[]
  /**
   * How much earlier than its keyframe each group's leading frames are shown (open group), in the order of `keyframesMs`. Missing if there
   * are none.
   */
  readonly keyframeLeadsMs?: readonly number[]
  /** Kind of each keyframe, in the order of `keyframesMs`. Missing if all are closed. */
  readonly keyframeKinds?: readonly KeyframeKind[]
  /** The longest distance from a keyframe to the next one, or to the end. */
  readonly largestGopMs?: number
  /**
   * The highest frame rate of any group of pictures examined: slide shows have fewer frames than their container states. Missing if no
   * group was examined.
   */
  readonly framesPerSecond?: number
  /**
   * Video and audio tracks in the order of the file, as far as the header describes them; missing for containers whose headers are not
   * read.
   */
  readonly tracks?: readonly TrackFacts[]
  /** Video or audio is assembled from several stretches of the file: its packets are not in order of time, and some appear twice. */
  readonly isSpliced?: boolean
  /** Missing if one clock runs through the film. */
  readonly parts?: readonly MediaPart[]
  /**
   * Whether a run can read from each closed keyframe on: a seek to just behind it lands on it, no earlier frame is shown at its time, and the
   * times of later frames do not depend on earlier ones. Only tables of containers show it; not every group of a long Matroska film is
   * examined. Missing if it is not so, or not known.
   */
  readonly landsOnKeyframes?: boolean
  /** How much later than the target of a seek ffmpeg may land, since it compares decoding times in MP4. Missing if it does not. */
  readonly landsLateMs?: number
}

/**
 * `closed`: a decoder that starts at it shows everything from there on. `open`: it is decodable alone, but frames around it may need
 * earlier ones. `unclear`: not even that is known (gradual refresh, or it could not be examined).
 */
export type KeyframeKind = 'closed' | 'open' | 'unclear'

/** A container's metadata for decoders and screens. */
export interface TrackFacts {
  readonly type: 'video' | 'audio'
  readonly configuration: CodecConfiguration | null
  readonly hdr: HdrFacts | null
}

/** Boxes of ISO/IEC 14496-15 and similar ones without the box header; `asc` is a bare AudioSpecificConfig. */
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

/** Names of the folders in a folder, or why it cannot be read. */
export type Subfolders =
  | { readonly available: true; readonly names: readonly string[] }
  | { readonly available: false; readonly reason: 'missing' | 'unreadable' | 'not-a-folder' }

/** Names the content of a film without reading all of it. Hex. */
export interface Fingerprint {
  /** SHA-256 over size, first and last 64 KiB, and 16 parts between: a download that is not complete has another one. */
  readonly current: string
  /** SHA-256 over size, first and last 64 KiB: films that were scanned by earlier versions have this one. */
  readonly former: string
}

export interface Media {
  health(root: string): Promise<RootHealth>
  /**
   * Every folder with files below a root, parents first, in code point order. Hidden ones are left out; links are followed once. Unreadable
   * paths are passed to `onError`: a file missing below such a path may still exist. @throws Error the root itself cannot be read
   */
  list(
    root: string,
    options: { readonly signal: AbortSignal; readonly onError: (path: string, message: string) => void },
  ): AsyncIterable<ListedFolder>
  /** In code point order, without hidden ones; links to folders count. */
  subfolders(path: string): Promise<Subfolders>
  /** Size, time and inode of a file; undefined if it does not exist. */
  stamp(path: string): Promise<FileStamp | undefined>
  fingerprint(path: string): Promise<Fingerprint>
  /** @throws NotPlayable the file is no film, cannot be read or takes too long; the message gives the reason, without the path */
  probe(path: string, signal: AbortSignal): Promise<MediaDescription>
  /** Kept permanently under the fingerprint. If missing, it is made from the container's own tables or else by a packet scan. */
  index(path: string, fingerprint: string, signal: AbortSignal): Promise<MediaIndex>
  /** Stretches of the film with clocks of their own, found without an index; undefined if it has none, or they cannot be found out. */
  parts(path: string): Promise<readonly MediaPart[] | undefined>
  /** Whether `index` has a kept one. */
  hasIndex(fingerprint: string): Promise<boolean>
  /** Whole bytes of a small file (`.nfo`, subtitles, images); undefined if it is larger than the limit or unreadable. */
  readSmall(path: string, limitBytes: number): Promise<Uint8Array | undefined>
}

export class NotPlayable extends Error {
  readonly code = 'not-playable'
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'NotPlayable'
  }
}
