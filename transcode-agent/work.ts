/** Describes ffmpeg's work for a job: the film, its stream, the output, and the range. */
import type { Output } from '../src/domain/streaming/rendition.ts'
import type { MediaInput } from '../src/ffmpeg/inputs.ts'
import type { AttachmentFiles } from './job-attachments.ts'

export interface Work {
  readonly input: MediaInput
  /** Of the film's file; missing: unknown. */
  readonly sizeBytes?: number
  /** Index of the stream in the file. */
  readonly stream: number
  readonly output: Output
  /** Zero of the output timeline as a timestamp of the file. */
  readonly zeroMs: number
  /** Seek position, a timestamp of the file; null is its start. */
  readonly seekMs: number | null
  /** Starts of the segments to make, and the film's end, on the output timeline. */
  readonly startsMs: readonly number[]
  readonly endMs: number
  /** An earlier attempt found no frame that is shown when the run begins: it may be much older. */
  readonly decodesAll?: boolean
  /** Files that came with the job. */
  readonly attachment?: AttachmentFiles | undefined
}

/** Optional features of this machine's ffmpeg that jobs use. */
export interface Capabilities {
  /** Tone-mapping by the zscale filter. */
  readonly zscale: boolean
  /** Tone-mapping by the libplacebo filter; undefined if unavailable. */
  readonly libplacebo?: { readonly hasContrastRecovery: boolean }
}

export const NO_CAPABILITIES: Capabilities = { zscale: false }

export type VideoOutput = Extract<Output, { readonly type: 'encode-video' }>
export type AudioOutput = Extract<Output, { readonly type: 'encode-audio' }>

/** Start of the first segment on the output timeline. */
export const firstStart = ({ startsMs }: Work): number => startsMs[0] ?? 0
export const seconds = (ms: number): string => (ms / 1000).toFixed(6)
