/** Init segment as it is kept: its codec string, a line break, its bytes. */
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
