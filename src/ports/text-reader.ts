/**
 * Reading of texts that come with films: subtitles and metadata files. Anybody may have written them, so reading runs apart from
 * the requests of others and within a time limit.
 */
import type { Cue } from '../vocabulary/cue.ts'
import type { MovieFacts } from '../events/movie-events.ts'
import type { SubtitleFormat } from '../vocabulary/subtitle-format.ts'

export interface SubtitleForm {
  readonly format: SubtitleFormat
  /** BCP 47, a hint for the encoding; null when nobody said. */
  readonly language: string | null
}

export interface ScriptForm extends SubtitleForm {
  /** From the times of the text to those of the film's container. */
  readonly byMs: number
  /** Size of the picture as it is shown, in pixels. */
  readonly width: number
  readonly height: number
}

/** Here and below: throws TextUnreadable. */
export interface TextReader {
  /** Cues in the order of their starts. @throws QueueFull when too many wait already */
  cues(bytes: Uint8Array, form: SubtitleForm): Promise<readonly Cue[]>
  /** An ASS script in UTF-8 to draw the subtitle by. @throws QueueFull when too many wait already */
  script(bytes: Uint8Array, form: ScriptForm): Promise<Uint8Array>
  /** What an `.nfo` says; undefined when it says nothing. Waits for its turn: the caller bounds how many do. */
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

/** One job, as it is sent to a thread. */
export type TextJob =
  | { readonly kind: 'cues'; readonly bytes: Uint8Array; readonly form: SubtitleForm }
  | { readonly kind: 'script'; readonly bytes: Uint8Array; readonly form: ScriptForm }
  | { readonly kind: 'nfo'; readonly bytes: Uint8Array }

/** The readers themselves, for the thread that calls them. */
export interface TextReading {
  /** Whether the bytes are Unicode. If not, `cues` and `script` guess their encoding, which takes far longer than reading them. */
  isUnicode(bytes: Uint8Array): boolean
  cues(bytes: Uint8Array, form: SubtitleForm): readonly Cue[]
  script(bytes: Uint8Array, form: ScriptForm): Uint8Array
  nfo(bytes: Uint8Array): Partial<MovieFacts> | undefined
}
