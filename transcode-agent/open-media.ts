/** Defines a film as a job reads it. */
import type { JobSource } from '../src/app/streaming/agents/agent-protocol.ts'
import { statMedia } from '../src/drives/media-files.ts'
import { withTimeout } from '../src/concurrency/timeout.ts'
import type { MediaInput } from '../src/ffmpeg/inputs.ts'
import type { Clock } from '../src/ports/clock.ts'
import { omitUndefined } from '../src/vocabulary/omit-undefined.ts'

export interface OpenMedia {
  readonly input: MediaInput
  /** Aborts with the reason once the film can no longer be read. */
  readonly lost: AbortSignal
  close(): void
}

/** A sentence for a person. */
export interface Unreachable {
  readonly unreachable: string
}

/** Takes no longer than the reply to an order may; later failures abort `lost`. */
export type OpenSource = (source: JobSource) => Promise<OpenMedia | Unreachable>

export const isUnreachable = (mediaFile: OpenMedia | Unreachable): mediaFile is Unreachable => 'unreachable' in mediaFile

const NEVER = new AbortController().signal

export const mediaAt = (path: string, parts?: JobSource['parts']): OpenMedia => ({
  input: { type: 'path', path, ...omitUndefined({ parts }) },
  lost: NEVER,
  close: () => undefined,
})

/** For an agent that shares the owner's disks: uses the path as it is. */
export const openInPlace: OpenSource = async ({ path, parts }) => mediaAt(path, parts)

/** A drive that sleeps must not delay the reply: a job may wait for it. */
const LOOK_MS = 500

/**
 * Like `openInPlace`, but refuses a file of another size: the film was replaced, and no scan has noticed it yet. Segments made of the new
 * file would be kept as those of the old one.
 */
export const openUnchanged =
  (clock: Clock): OpenSource =>
  async ({ path, sizeBytes, parts }) => {
    const seen = await withTimeout(statMedia(path), { clock, ms: LOOK_MS, message: 'The disk does not answer' }).catch(() => undefined)
    return seen && seen.size !== sizeBytes ? { unreachable: 'The film has changed since it was last looked at' } : mediaAt(path, parts)
  }
