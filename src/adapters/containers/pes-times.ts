/**
 * Finds the presentation times in a stretch of a transport or program stream (ITU-T H.222.0, 2.4.3.6), without reading the stream from its
 * beginning.
 */

import { beginsPes, PACKET_BYTES, payloadAt, pidOf, STRIDES, SYNC, transportForm } from './transport-packet.ts'

export type ClockedContainer = 'mpegts' | 'mpeg'

export interface PesTime {
  /** Offset at which the transport packet or the PES packet begins. */
  readonly at: number
  /** Identifier of the stream's packets in a transport stream; 0 in a program stream. */
  readonly pid: number
  /** Units of 1/90,000 s, modulo 2^33. */
  readonly ticks: number
  readonly isVideo: boolean
}

export const TICKS_PER_MS = 90
const CLOCK_TICKS = 2 ** 33

const START_CODE = Buffer.from([0, 0, 1])
const PACK = Buffer.from([0, 0, 1, 0xba])
/** Start code, stream id, length, two bytes of flags, the length of the header, five bytes of time. */
const PES_TIME_BYTES = 14
const PRIVATE_AUDIO = 0xbd

/** How much later the one time is than the other: less than half a clock round. */
export function ticksBetween(from: number, to: number): number {
  const ahead = (((to - from) % CLOCK_TICKS) + CLOCK_TICKS) % CLOCK_TICKS
  return ahead < CLOCK_TICKS / 2 ? ahead : ahead - CLOCK_TICKS
}

/** What kind of stream a file is, by its first bytes; undefined if it is neither. */
export function clockedContainer(head: Buffer): ClockedContainer | undefined {
  if (head.subarray(0, PACK.length).equals(PACK)) return 'mpeg'
  return transportForm(head) ? 'mpegts' : undefined
}

/** In the order of the file. Offsets are relative to the bytes. */
export function* pesTimes(bytes: Buffer, container: ClockedContainer): Generator<PesTime> {
  for (let at = bytes.indexOf(START_CODE); at !== -1; at = bytes.indexOf(START_CODE, at + 1)) {
    if (at + PES_TIME_BYTES > bytes.length) return
    const stream = bytes[at + 3] ?? 0
    const isVideo = stream >= 0xe0 && stream <= 0xef
    if (!isVideo && stream !== PRIVATE_AUDIO && (stream < 0xc0 || stream > 0xdf)) continue
    const ticks = ticksOf(bytes, at)
    const start = ticks === undefined ? undefined : container === 'mpeg' ? at : transportStart(bytes, at)
    if (ticks === undefined || start === undefined) continue
    yield { at: start, pid: container === 'mpeg' ? 0 : pidOf(bytes, start), ticks, isVideo }
  }
}

function ticksOf(bytes: Buffer, at: number): number | undefined {
  const flags = bytes.readUInt16BE(at + 6)
  const hasTime = (flags & 0xc080) === 0x8080 && (bytes[at + 9] ?? 0) >> 5 === 1
  const isMarked = ((bytes[at + 9] ?? 0) & (bytes[at + 11] ?? 0) & (bytes[at + 13] ?? 0) & 1) === 1
  if (!hasTime || !isMarked) return undefined
  const [high, middle, low] = [((bytes[at + 9] ?? 0) >> 1) & 7, bytes.readUInt16BE(at + 10) >> 1, bytes.readUInt16BE(at + 12) >> 1]
  return high * 2 ** 30 + middle * 2 ** 15 + low
}

/** Where the transport packet begins whose payload begins with this PES packet; undefined if there is none. */
function transportStart(bytes: Buffer, pesAt: number): number | undefined {
  for (let at = pesAt - 1; at > pesAt - PACKET_BYTES && at >= 0; at--) {
    if (bytes[at] === SYNC && beginsPes(bytes, at) && payloadAt(bytes, at) === pesAt) return at
  }
  return undefined
}

/**
 * Where a reader should begin to find the packet at `to`: at the last table of programs, or the last pack, after the packet at `from`. The
 * packet itself if there is none.
 */
export function entryBefore(
  bytes: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  container: ClockedContainer,
): number {
  if (container === 'mpeg') {
    const pack = bytes.lastIndexOf(PACK, to)
    return pack > from ? pack : to
  }
  for (const stride of STRIDES) {
    for (let at = to - stride; at > from && bytes[at] === SYNC; at -= stride) if (pidOf(bytes, at) === 0) return at
  }
  return to
}
