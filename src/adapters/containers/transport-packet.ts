/** Finds the packets of an MPEG transport stream, and reads their heads (ITU-T H.222.0, 2.4.3). */

export const SYNC = 0x47
export const PACKET_BYTES = 188
/** M2TS has a 4-byte time before each packet, and some recorders append sixteen checksum bytes. */
export const STRIDES = [PACKET_BYTES, 192, 204] as const
const TIME_BYTES = 4
const HEAD_BYTES = 4

export interface TransportForm {
  /** Offset of the first packet. */
  readonly first: number
  /** Bytes from one packet to the next. */
  readonly stride: number
}

/** Undefined if the bytes do not begin with transport packets. */
export function transportForm(bytes: Uint8Array): TransportForm | undefined {
  for (const first of [0, TIME_BYTES]) {
    for (const stride of STRIDES) {
      if (bytes[first] === SYNC && (bytes[first + stride] ?? SYNC) === SYNC && (bytes[first + 2 * stride] ?? SYNC) === SYNC)
        return { first, stride }
    }
  }
  return undefined
}

export const pidOf = (bytes: Uint8Array, at: number): number => (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)
export const beginsPes = (bytes: Uint8Array, at: number): boolean => ((bytes[at + 1] ?? 0) & 0x40) !== 0

/** Offset of its payload; undefined if it has none. */
export function payloadAt(bytes: Uint8Array, at: number): number | undefined {
  const control = ((bytes[at + 3] ?? 0) >> 4) & 3
  if ((control & 1) === 0) return undefined
  const adaptationBytes = (control & 2) === 0 ? 0 : 1 + (bytes[at + HEAD_BYTES] ?? 0)
  return at + HEAD_BYTES + adaptationBytes
}
