/**
 * Media: films and what lies beside them on disk, looked at but never changed.
 */
import type { FileStamp, MediaDescription } from '../events/media-description.ts'

export type RootHealth =
  | { readonly available: true; readonly device: number }
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

export interface MediaIndex {
  /** Presentation times of the first video track's keyframes, milliseconds with fraction from the file's own zero. */
  readonly keyframesMs: readonly number[]
  /** Presentation time of the first video and of the first audio packet, and where the last video packet ends. */
  readonly videoStartMs: number
  readonly audioStartMs: number | null
  readonly videoEndMs: number
}

export interface Media {
  health(root: string): Promise<RootHealth>
  /** Every folder below a root that holds files, hidden ones left out; links are followed once. A folder that cannot be read is passed to `problem`. */
  list(
    root: string,
    options: { readonly signal: AbortSignal; readonly problem: (path: string, message: string) => void },
  ): AsyncIterable<ListedFolder>
  /** SHA-256 over size, first and last 64 KiB, hex. */
  fingerprint(path: string): Promise<string>
  /** @throws NotPlayable the file is no film; its message says why in plain words */
  probe(path: string, signal: AbortSignal): Promise<MediaDescription>
  /** Kept for ever under the fingerprint; made by a packet scan where it is not there yet. */
  index(path: string, fingerprint: string, signal: AbortSignal): Promise<MediaIndex>
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
