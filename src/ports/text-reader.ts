/**
 * Parses texts that come with films: subtitles and metadata files. They are untrusted, so parsing runs apart from the requests of others
 * and within a time limit.
 */
import type { Cue } from '../vocabulary/cue.ts'
import type { MovieFacts } from '../events/movie-events.ts'
import type { SubtitleFormat } from '../vocabulary/subtitle-format.ts'

export interface SubtitleForm {
  readonly format: SubtitleFormat
  /** BCP 47, a hint for the encoding; null if unknown. */
  readonly language: string | null
}

export interface ScriptForm extends SubtitleForm {
  /** Offset from the times of the text to those of the film's container. */
  readonly byMs: number
  /** Size of the video as displayed, in pixels. */
  readonly width: number
  readonly height: number
}

/** Here and below: throws TextUnreadable. */
export interface TextReader {
  /** Cues in the order of their starts. @throws QueueFull the queue is full */
  cues(bytes: Uint8Array, form: SubtitleForm): Promise<readonly Cue[]>
  /** An ASS script in UTF-8 that renders the subtitle. @throws QueueFull the queue is full */
  script(bytes: Uint8Array, form: ScriptForm): Promise<Uint8Array>
  /** Facts from an `.nfo`; undefined if it has none. Waits for its turn: the caller bounds the queue. */
  nfo(bytes: Uint8Array): Promise<Partial<MovieFacts> | undefined>
  close(): Promise<void>
}

/** The text took too much time or memory, or its reader failed. */
export class TextUnreadable extends Error {
  readonly code = 'text-unreadable'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TextUnreadable'
  }
}

/** One job in the form sent to a worker thread. */
export type TextJob =
  | { readonly kind: 'cues'; readonly bytes: Uint8Array; readonly form: SubtitleForm }
  | { readonly kind: 'script'; readonly bytes: Uint8Array; readonly form: ScriptForm }
  | { readonly kind: 'nfo'; readonly bytes: Uint8Array }

/** The parsers themselves, for the worker thread that calls them. */
export interface TextReading {
  /** Whether the bytes are Unicode. If not, `cues` and `script` guess their encoding, which takes far longer than parsing. */
  isUnicode(bytes: Uint8Array): boolean
  cues(bytes: Uint8Array, form: SubtitleForm): readonly Cue[]
  script(bytes: Uint8Array, form: ScriptForm): Uint8Array
  nfo(bytes: Uint8Array): Partial<MovieFacts> | undefined
}
