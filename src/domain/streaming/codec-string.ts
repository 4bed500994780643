/**
 * Builds codec strings (RFC 6381) from configuration bytes. The bytes that a container keeps for a track's decoder state exactly what a
 * player must support; the names and levels that a probe reports do not. Bytes that are too short or invalid have no string.
 */
import type { DolbyVision } from '../../vocabulary/media-description.ts'

/** Boxes of ISO/IEC 14496-15 and similar ones, without the box header; `asc` is the bare AudioSpecificConfig, as in Matroska. */
export type ConfigurationType = 'avcC' | 'hvcC' | 'av1C' | 'vpcC' | 'esds' | 'asc' | 'dac3' | 'dec3' | 'dOps' | 'dfLa'

/** Lower-case hex for `avc1`, upper-case for the others, as in their standards. */
export function codecString(type: ConfigurationType, bytes: Uint8Array): string | null {
  return STRINGS[type](bytes)
}

const WITH_DOLBY_VISION = { hvc1: 'dvh1', avc1: 'dva1', av01: 'dav1' } as const

/** ETSI TS 103 572: the string of Dolby Vision on top of another codec, with profile and level from its configuration box. */
export function dolbyVisionString(
  { profile, level }: Pick<DolbyVision, 'profile' | 'level'>,
  base: keyof typeof WITH_DOLBY_VISION,
): string {
  return `${WITH_DOLBY_VISION[base]}.${twoDigits(profile)}.${twoDigits(level)}`
}

const STRINGS: Readonly<Record<ConfigurationType, (bytes: Uint8Array) => string | null>> = {
  avcC: avcString,
  hvcC: hevcString,
  av1C: av1String,
  vpcC: vp9String,
  esds: esdsString,
  asc: aacString,
  dac3: () => 'ac-3',
  dec3: () => 'ec-3',
  dOps: () => 'Opus',
  dfLa: () => 'fLaC',
}

const FIRST_VERSION = 1

function avcString([version, profile, constraints, level]: Uint8Array): string | null {
  if (version !== FIRST_VERSION || profile === undefined || constraints === undefined || level === undefined) return null
  return `avc1.${[profile, constraints, level].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const HEVC_HEAD_BYTES = 13
const HEVC_CONSTRAINTS = [6, 12] as const

/** ISO/IEC 14496-15, annex E. Early muxers wrote version 0. */
function hevcString(bytes: Uint8Array): string | null {
  if (bytes.length < HEVC_HEAD_BYTES || (bytes[0] ?? 0) > FIRST_VERSION) return null
  const [, general = 0] = bytes
  const space = ['', 'A', 'B', 'C'][general >> 6] ?? ''
  const tier = general & 0x20 ? 'H' : 'L'
  const constraints = [...bytes.subarray(...HEVC_CONSTRAINTS)]
  while (constraints.at(-1) === 0) constraints.pop()
  const compatible = hex(reversedBits(viewOf(bytes).getUint32(2)))
  const parts = [`${space}${general & 0x1f}`, compatible, `${tier}${bytes[12] ?? 0}`, ...constraints.map(hex)]
  return `hvc1.${parts.join('.')}`
}

const AV1_MARKER_AND_VERSION = 0x81

/** Short form of the AV1 binding to ISO BMFF, section 5: VIDEO-RANGE states the colours. */
function av1String([first, second, third]: Uint8Array): string | null {
  if (first !== AV1_MARKER_AND_VERSION || second === undefined || third === undefined) return null
  const [isDeep, isTwelve] = [(third & 0x40) !== 0, (third & 0x20) !== 0]
  const depth = isDeep ? (isTwelve ? 12 : 10) : 8
  return `av01.${second >> 5}.${twoDigits(second & 0x1f)}${third & 0x80 ? 'H' : 'M'}.${twoDigits(depth)}`
}

/** "VP Codec ISO Media File Format Binding"; all fields, since missing ones mean BT.709. */
function vp9String(bytes: Uint8Array): string | null {
  const [version, , , , profile, level, format, primaries, transfer, matrix] = bytes
  if (version !== FIRST_VERSION || profile === undefined || level === undefined || format === undefined) return null
  const fields = [profile, level, format >> 4, (format >> 1) & 0x07, primaries ?? 1, transfer ?? 1, matrix ?? 1, format & 0x01]
  return `vp09.${fields.map(twoDigits).join('.')}`
}

const ES_DESCRIPTOR = 0x03
const DECODER_CONFIGURATION = 0x04
const DECODER_SPECIFIC = 0x05
const MPEG4_AUDIO = 0x40
/** Version and flags of the box. */
const FULL_BOX_BYTES = 4
const DECODER_CONFIGURATION_BYTES = 13

/** ISO/IEC 14496-1: nested descriptors, down to the AudioSpecificConfig. */
function esdsString(bytes: Uint8Array): string | null {
  const stream = descriptor(bytes.subarray(FULL_BOX_BYTES), ES_DESCRIPTOR)
  const decoder = stream && descriptor(stream.subarray(streamHeadBytes(stream)), DECODER_CONFIGURATION)
  const objectType = decoder?.[0]
  if (!decoder || objectType === undefined) return null
  if (objectType !== MPEG4_AUDIO) return `mp4a.${hex(objectType).padStart(2, '0')}`
  const specific = descriptor(decoder.subarray(DECODER_CONFIGURATION_BYTES), DECODER_SPECIFIC)
  return specific ? aacString(specific) : null
}

/** Id, flags, and the fields that the flags announce: another stream's id, a URL, a clock's id. */
function streamHeadBytes(stream: Uint8Array): number {
  const flags = stream[2] ?? 0
  let at = 3
  if (flags & 0x80) at += 2
  if (flags & 0x40) at += 1 + (stream[at] ?? 0)
  return flags & 0x20 ? at + 2 : at
}

/** Content of a descriptor; its length is coded in seven bits per byte, in at most four bytes. */
function descriptor(bytes: Uint8Array, tag: number): Uint8Array | undefined {
  if (bytes[0] !== tag) return undefined
  let length = 0
  for (let at = 1; at <= 4; at++) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    length = (length << 7) | (byte & 0x7f)
    if (byte < 0x80) return bytes.subarray(at + 1, at + 1 + length)
  }
  return undefined
}

const ESCAPED_OBJECT_TYPE = 31

function aacString([first, second]: Uint8Array): string | null {
  if (first === undefined || second === undefined) return null
  const short = first >> 3
  const objectType = short === ESCAPED_OBJECT_TYPE ? 32 + (((first & 0x07) << 3) | (second >> 5)) : short
  return objectType === 0 ? null : `mp4a.40.${objectType}`
}

const hex = (value: number): string => value.toString(16).toUpperCase()
const twoDigits = (value: number): string => String(value).padStart(2, '0')
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength)

function reversedBits(value: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) reversed = (reversed << 1) | ((value >>> bit) & 1)
  return reversed >>> 0
}
