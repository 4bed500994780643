/**
 * Init segment of a rendition, out of the `ftyp` and `moov` that ffmpeg writes: edit lists and tags removed, so that it depends
 * neither on the run that made it nor on where that run began. Its codec string comes from its bytes.
 */
import { boxesIn, boxOf, needBox } from './box.ts'
import { fourLetters, MalformedMp4, view } from './box-stream.ts'

export interface InitSegment {
  readonly bytes: Uint8Array
  /** RFC 6381. */
  readonly codec: string
  /** Ticks a second of the track's times. */
  readonly timescale: number
}

const FTYP = boxOf('ftyp', Buffer.from('iso6\0\0\0\0iso6dashmp41', 'latin1'))
/** Edit lists depend on the run; tags and chapters are none of a segment's business. */
const LEFT_OUT = new Set(['edts', 'udta', 'meta'])
const CONTAINERS = new Set(['moov', 'trak'])
/** Of a sample entry, before the boxes inside it. */
const VISUAL_ENTRY_BYTES = 78
const AUDIO_ENTRY_BYTES = 28

export function initSegment(moov: Uint8Array): InitSegment {
  const media = needBox(moov, 'trak', 'mdia')
  return {
    bytes: Buffer.concat([FTYP, boxOf('moov', kept(moov))]),
    codec: codecOf(needBox(media, 'minf', 'stbl', 'stsd')),
    timescale: timescaleOf(needBox(media, 'mdhd')),
  }
}

function kept(bytes: Uint8Array): Uint8Array {
  const boxes = boxesIn(bytes).filter((box) => !LEFT_OUT.has(box.type))
  return Buffer.concat(
    boxes.map((box) => (CONTAINERS.has(box.type) ? boxOf(box.type, kept(box.payload)) : bytes.subarray(box.start, box.end))),
  )
}

function timescaleOf(mdhd: Uint8Array): number {
  return view(mdhd).getUint32(mdhd[0] === 1 ? 20 : 12)
}

function codecOf(stsd: Uint8Array): string {
  const entry = boxesIn(stsd, 8)[0]
  if (!entry) throw new MalformedMp4('An empty stsd')
  switch (entry.type) {
    case 'avc1':
    case 'avc3': {
      const avcC = needBox(entry.payload.subarray(VISUAL_ENTRY_BYTES), 'avcC')
      return `${entry.type}.${Buffer.from(avcC.subarray(1, 4)).toString('hex')}`
    }
    case 'mp4a':
      return `mp4a.${objectTypes(needBox(entry.payload.subarray(AUDIO_ENTRY_BYTES), 'esds')).join('.')}`
    default:
      return fourLetters(view(stsd), 12).toLowerCase()
  }
}

const DESCRIPTOR = { stream: 3, decoder: 4, specific: 5 }

/** Object type of the decoder, in hex, and for MPEG-4 audio the object type of the sound (ISO 14496-1, 14496-3). */
function objectTypes(esds: Uint8Array): readonly (string | number)[] {
  const stream = descriptor(esds.subarray(4), DESCRIPTOR.stream)
  const decoder = descriptor(stream.subarray(3), DESCRIPTOR.decoder)
  const object = decoder[0] ?? 0
  if (object !== 0x40) return [object.toString(16)]
  const [first = 0, second = 0] = descriptor(decoder.subarray(13), DESCRIPTOR.specific)
  const type = first >> 3
  return ['40', type === 31 ? 32 + (((first & 7) << 3) | (second >> 5)) : type]
}

/** Payload of the descriptor at the start; its length is written in sevens of bits. */
function descriptor(bytes: Uint8Array, tag: number): Uint8Array {
  if (bytes[0] !== tag) throw new MalformedMp4(`Descriptor ${bytes[0]} where ${tag} should be`)
  let length = 0
  let at = 1
  for (let more = true; more && at <= 4; at++) {
    const byte = bytes[at] ?? 0
    length = (length << 7) | (byte & 0x7f)
    more = (byte & 0x80) !== 0
  }
  return bytes.subarray(at, at + length)
}
