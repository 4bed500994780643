/** Extracts the beginning of a PES packet's payload from an MPEG transport stream (ITU-T H.222.0, 2.4.3). */

const SYNC = 0x47
const PACKET_BYTES = 188
/** M2TS has a 4-byte time before each packet, and some recorders append sixteen checksum bytes. */
const STRIDES = [PACKET_BYTES, 192, 204] as const
const TIME_BYTES = 4
const HEAD_BYTES = 4
const PES_HEAD_BYTES = 9

/** From bytes that begin with the transport packet in which the PES packet begins. Empty if they are not a transport stream. */
export function transportPayload(bytes: Uint8Array): Uint8Array {
  const form = formOf(bytes)
  if (!form) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  const wanted = pidOf(bytes, form.first)
  for (let at = form.first; at + PACKET_BYTES <= bytes.length && bytes[at] === SYNC; at += form.stride) {
    if (pidOf(bytes, at) !== wanted) continue
    if (at !== form.first && beginsPes(bytes, at)) break
    parts.push(payloadOf(bytes, at))
  }
  const pes = Buffer.concat(parts)
  const isPes = pes[0] === 0 && pes[1] === 0 && pes[2] === 1
  return isPes ? pes.subarray(PES_HEAD_BYTES + (pes[PES_HEAD_BYTES - 1] ?? 0)) : new Uint8Array(0)
}

function formOf(bytes: Uint8Array): { readonly first: number; readonly stride: number } | undefined {
  for (const first of [0, TIME_BYTES]) {
    for (const stride of STRIDES) {
      if (bytes[first] === SYNC && (bytes[first + stride] ?? SYNC) === SYNC && (bytes[first + 2 * stride] ?? SYNC) === SYNC)
        return { first, stride }
    }
  }
  return undefined
}

const pidOf = (bytes: Uint8Array, at: number): number => (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)
const beginsPes = (bytes: Uint8Array, at: number): boolean => ((bytes[at + 1] ?? 0) & 0x40) !== 0

function payloadOf(bytes: Uint8Array, at: number): Uint8Array {
  const control = ((bytes[at + 3] ?? 0) >> 4) & 3
  if ((control & 1) === 0) return new Uint8Array(0)
  const adaptationBytes = (control & 2) === 0 ? 0 : 1 + (bytes[at + HEAD_BYTES] ?? 0)
  return bytes.subarray(Math.min(at + HEAD_BYTES + adaptationBytes, at + PACKET_BYTES), at + PACKET_BYTES)
}
