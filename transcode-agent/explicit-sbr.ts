/**
 * Marks an audio track's header as HE-AAC. ADTS and many files declare only the AAC-LC core and leave it to decoders to find spectral band
 * replication (SBR) in the frames; the bytes then differ from a codec string of `mp4a.40.5`. The header written here names object type 5
 * before the core's own (hierarchical signalling, 1.6.5 of ISO/IEC 14496-3).
 */
import { boxesIn, boxOf } from './box.ts'

const PATH = ['trak', 'mdia', 'minf', 'stbl', 'stsd', 'mp4a', 'esds']
/** Header bytes before the inner boxes. */
const HEADS: Readonly<Record<string, number>> = { stsd: 8, mp4a: 28 }
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const LC = 2
const SBR = 5
/** Descriptors of 14496-1, each inside the previous one: elementary stream, decoder configuration, codec-specific configuration. */
const TAGS = { stream: 3, decoder: 4, specific: 5 }
const STREAM_HEAD_BYTES = 3
const DECODER_HEAD_BYTES = 13
const VERSION_BYTES = 4

/** `sampleRate` is in Hz, with SBR. A header that already declares another format is left as it is. */
export function withExplicitSbr(moov: Uint8Array, sampleRate: number): Uint8Array {
  return replaced(moov, PATH, (esds) => esdsWithSbr(esds, sampleRate))
}

/** Replaces the payload of the box at the end of a path with the result of `change`. */
function replaced(bytes: Uint8Array, path: readonly string[], change: (payload: Uint8Array) => Uint8Array): Uint8Array {
  const [type = '', ...rest] = path
  const boxes = boxesIn(bytes).map((box) => {
    if (box.type !== type) return bytes.subarray(box.start, box.end)
    if (rest.length === 0) return boxOf(type, change(box.payload))
    const head = HEADS[type] ?? 0
    return boxOf(type, box.payload.subarray(0, head), replaced(box.payload.subarray(head), rest, change))
  })
  return Buffer.concat(boxes)
}

interface Descriptor {
  readonly tag: number
  readonly payload: Uint8Array
  readonly end: number
}

function esdsWithSbr(esds: Uint8Array, sampleRate: number): Uint8Array {
  const stream = descriptorAt(esds, VERSION_BYTES)
  const decoder = stream && descriptorAt(stream.payload, STREAM_HEAD_BYTES)
  const specific = decoder && descriptorAt(decoder.payload, DECODER_HEAD_BYTES)
  const config = specific && configWithSbr(specific.payload, sampleRate)
  const isUsual = stream?.tag === TAGS.stream && decoder?.tag === TAGS.decoder && specific?.tag === TAGS.specific
  if (!config || !isUsual) return esds
  const inner = [decoder.payload.subarray(0, DECODER_HEAD_BYTES), descriptor(TAGS.specific, config), decoder.payload.subarray(specific.end)]
  const outer = [
    stream.payload.subarray(0, STREAM_HEAD_BYTES),
    descriptor(TAGS.decoder, Buffer.concat(inner)),
    stream.payload.subarray(decoder.end),
  ]
  return Buffer.concat([esds.subarray(0, VERSION_BYTES), descriptor(TAGS.stream, Buffer.concat(outer)), esds.subarray(stream.end)])
}

/**
 * Extends 5 bits object type, 4 bits rate, 4 bits channels and 3 bits of the core: SBR's type comes first, and SBR's rate and the core's
 * type follow the channels. Undefined unless the input is plain AAC-LC at half the rate.
 */
function configWithSbr(config: Uint8Array, sampleRate: number): Uint8Array | undefined {
  const [first = 0, second = 0] = config
  const bits = (first << 8) | second
  const [type, core, channels, rest] = [bits >> 11, (bits >> 7) & 15, (bits >> 3) & 15, bits & 7]
  const rate = RATES.indexOf(sampleRate)
  if (config.byteLength < 2 || type !== LC || channels === 0 || rate < 0 || RATES[core] !== sampleRate / 2) return undefined
  const explicit = ((SBR << 20) | (core << 16) | (channels << 12) | (rate << 8) | (LC << 3) | rest) << 7
  return Uint8Array.of(explicit >>> 24, explicit >>> 16, explicit >>> 8, explicit)
}

/** The length has seven bits a byte; the top bit is set if another byte follows. */
function descriptorAt(bytes: Uint8Array, start: number): Descriptor | undefined {
  let at = start + 1
  let length = 0
  for (let count = 0; count < 4; count++) {
    const byte = bytes[at++] ?? 0
    length = (length << 7) | (byte & 0x7f)
    if ((byte & 0x80) === 0) break
  }
  const end = at + length
  return end > bytes.byteLength ? undefined : { tag: bytes[start] ?? 0, payload: bytes.subarray(at, end), end }
}

function descriptor(tag: number, payload: Uint8Array): Uint8Array {
  const { byteLength } = payload
  const length = Uint8Array.of(0x80 | (byteLength >> 21), 0x80 | (byteLength >> 14), 0x80 | (byteLength >> 7), byteLength & 0x7f)
  return Buffer.concat([Uint8Array.of(tag), length, payload])
}
