/** Extracts the beginning of a PES packet's payload from an MPEG transport stream (ITU-T H.222.0, 2.4.3). */
import { beginsPes, PACKET_BYTES, payloadAt, pidOf, SYNC, transportForm } from './transport-packet.ts'

const PES_HEAD_BYTES = 9

/** From bytes that begin with the transport packet in which the PES packet begins. Empty if they are not a transport stream. */
export function transportPayload(bytes: Uint8Array): Uint8Array {
  const form = transportForm(bytes)
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

function payloadOf(bytes: Uint8Array, at: number): Uint8Array {
  const start = payloadAt(bytes, at)
  return start === undefined ? new Uint8Array(0) : bytes.subarray(Math.min(start, at + PACKET_BYTES), at + PACKET_BYTES)
}
