/** Packs a job's attachment: subtitles and fonts that the agent fetches over the bus in pieces. */
import { hash } from 'node:crypto'
import { pack } from '../../../concurrency/length-prefixed.ts'

export interface JobAttachment {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
}

/** Most parts of an attachment, and most bytes in total. */
export const JOB_ATTACHMENT_MAX_CONTENTS = 65
export const JOB_ATTACHMENT_MAX_BYTES = 64 * 1024 * 1024

export function jobAttachmentOf(contents: readonly Uint8Array[]): JobAttachment {
  const bytes = pack(contents)
  return { bytes, digest: digestOf(bytes) }
}

export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes)
