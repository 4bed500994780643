/** A film as a job reads it. */
import type { JobSource } from '../src/app/streaming/agents/agent-protocol.ts'

/** What ffmpeg opens. A `url` is one of this process. */
export type MediaInput = { readonly type: 'path'; readonly path: string } | { readonly type: 'url'; readonly url: string }

export interface OpenMedia {
  readonly input: MediaInput
  /** Aborts with the reason once the film cannot be read any further. */
  readonly lost: AbortSignal
  close(): void
}

/** A sentence for a person. */
export interface Unreachable {
  readonly unreachable: string
}

/** Takes no longer than the answer to an order may: what goes wrong later aborts `lost`. */
export type OpenSource = (source: JobSource) => Promise<OpenMedia | Unreachable>

export const isUnreachable = (mediaFile: OpenMedia | Unreachable): mediaFile is Unreachable => 'unreachable' in mediaFile

const NEVER = new AbortController().signal

export const mediaAt = (path: string): OpenMedia => ({ input: { type: 'path', path }, lost: NEVER, close: () => undefined })

/** For an agent that has the owner's disks: the path as it is. */
export const openInPlace: OpenSource = async ({ path }) => mediaAt(path)
