/** Stored form of an init segment: its codec string, a line break, its bytes. */
import { createHash } from 'node:crypto'
import type { Rendition } from '../../../domain/streaming/rendition.ts'

export interface Init {
  readonly bytes: Uint8Array
  /** RFC 6381. */
  readonly codec: string
}

const LINE_BREAK = 0x0a
const MAX_CODEC_BYTES = 200

export function packInit({ bytes, codec }: Init): Uint8Array {
  return Buffer.concat([Buffer.from(`${codec}\n`, 'latin1'), bytes])
}

/** Undefined if it is not such a record. */
export function unpackInit(packed: Uint8Array): Init | undefined {
  const end = packed.indexOf(LINE_BREAK)
  if (end < 1 || end > MAX_CODEC_BYTES) return undefined
  return { codec: Buffer.from(packed.subarray(0, end)).toString('latin1'), bytes: packed.subarray(end + 1) }
}

/**
 * Identifies the init segment that a rendition's segments belong to; null if there is none, or if it does not matter: those of copies and
 * of audio contain nothing that decoding depends on and that another run may write differently.
 */
export function formOf({ output }: Rendition, init: Init | undefined): string | null {
  return init && output.type === 'encode-video' ? createHash('sha256').update(init.bytes).digest('hex').slice(0, 16) : null
}
