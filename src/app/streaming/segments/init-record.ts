/** Init segment as it is kept: its codec string, a line break, its bytes. */
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

/** Undefined for what is none. */
export function unpackInit(packed: Uint8Array): Init | undefined {
  const end = packed.indexOf(LINE_BREAK)
  if (end < 1 || end > MAX_CODEC_BYTES) return undefined
  return { codec: Buffer.from(packed.subarray(0, end)).toString('latin1'), bytes: packed.subarray(end + 1) }
}

/**
 * Names the init segment that a rendition's segments go with; null where it is none, or none that matters: those of copies and of
 * sound say nothing that decoding depends on and that another run may say differently.
 */
export function formOf({ output }: Rendition, init: Init | undefined): string | null {
  return init && output.type === 'encode-video' ? createHash('sha256').update(init.bytes).digest('hex').slice(0, 16) : null
}
