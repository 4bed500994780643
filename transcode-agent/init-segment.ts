/**
 * Makes the init segment of a rendition from ffmpeg's `ftyp` and `moov`. Edit lists and tags are removed, so that it depends neither on the
 * run that made it nor on where that run began. Its codec string is derived from its bytes.
 */
import { codecString, dolbyVisionString, type ConfigurationType } from '../src/domain/streaming/codec-string.ts'
import { brandOf } from '../src/domain/streaming/dolby-vision.ts'
import { dolbyVisionIn } from '../src/vocabulary/dolby-vision-record.ts'
import type { DolbyVision } from '../src/vocabulary/media-description.ts'
import { boxesIn, boxOf, needBox } from './box.ts'
import { MalformedMp4, view } from './box-stream.ts'
import { withExplicitSbr } from './explicit-sbr.ts'

export interface InitSegment {
  readonly bytes: Uint8Array
  /** RFC 6381. */
  readonly codec: string
  /** Ticks a second in the track's times. */
  readonly timescale: number
  /** Samples of one audio frame, if the configuration contains it. */
  readonly frameSamples: number | undefined
  /** Bits per sample, for FLAC. */
  readonly sampleBits: number | undefined
}

const BRANDS = ['iso6', 'dash', 'mp41']
/** A film with Dolby Vision. */
const DOLBY_BRAND = 'dby1'
const DOLBY_BOXES = new Set(['dvcC', 'dvvC', 'dvwC'])
/** Edit lists depend on the run; tags and chapters do not belong in segments. */
const LEFT_OUT = new Set(['edts', 'udta', 'meta'])
const CONTAINERS = new Set(['moov', 'trak'])
/** Bytes of a sample entry before its inner boxes. */
const VISUAL_ENTRY_BYTES = 78
const AUDIO_ENTRY_BYTES = 28
/** Fields of an `esds`: version and flags, ES_ID and flags, object and stream type, then buffer size and two rates. */
const VERSION_BYTES = 4
const STREAM_HEAD_BYTES = 3
const DECODER_TYPE_BYTES = 2
const RATE_BYTES = 11
const VISUAL_CONFIGURATIONS = new Set<ConfigurationType>(['avcC', 'hvcC', 'av1C', 'vpcC'])

interface InitOptions {
  /** For video that cannot be shown without Dolby Vision. ffmpeg before 7.0 does not know its sample entry. */
  readonly isDolby?: boolean | undefined
  /** For HE-AAC: Hz with spectral band replication. */
  readonly sbrRate?: number | undefined
}

export function initSegment(written: Uint8Array, { isDolby = false, sbrRate }: InitOptions = {}): InitSegment {
  const moov = sbrRate === undefined ? written : withExplicitSbr(written, sbrRate)
  const media = needBox(moov, 'trak', 'mdia')
  const stsd = needBox(media, 'minf', 'stbl', 'stsd')
  if (isDolby) renameEntry(stsd)
  const { type, configuration, dolby } = configurationOf(stsd)
  if (configuration?.type === 'esds') forgetRates(stsd, configuration.payload)
  return {
    bytes: Buffer.concat([ftypOf(dolby), boxOf('moov', kept(moov))]),
    codec: (type === 'dvh1' && dolby ? dolbyVisionString(dolby, 'hvc1') : codecOf(configuration)) ?? type,
    timescale: timescaleOf(needBox(media, 'mdhd')),
    frameSamples: frameSamplesOf(configuration),
    sampleBits: sampleBitsOf(configuration),
  }
}

const codecOf = (configuration: Configured['configuration']): string | null =>
  configuration ? codecString(configuration.type, configuration.payload) : null

function ftypOf(dolby: DolbyVision | undefined): Uint8Array {
  const brand = dolby && brandOf(dolby)
  const brands = [...BRANDS, ...(dolby ? [DOLBY_BRAND] : []), ...(brand ? [brand] : [])]
  return boxOf('ftyp', Buffer.from(`iso6\0\0\0\0${brands.join('')}`, 'latin1'))
}

function kept(bytes: Uint8Array): Uint8Array {
  const boxes = boxesIn(bytes).filter((box) => !LEFT_OUT.has(box.type))
  return Buffer.concat(
    boxes.map((box) => (CONTAINERS.has(box.type) ? boxOf(box.type, kept(box.payload)) : bytes.subarray(box.start, box.end))),
  )
}

function renameEntry(stsd: Uint8Array): void {
  const entry = boxesIn(stsd, 8)[0]
  if (entry) stsd.set(Buffer.from('dvh1'), entry.start + 4)
}

/**
 * Zeroes buffer size and bit rates in an audio track's `esds` and `btrt`: a run from a transport stream writes whatever values it happens
 * to have (ISO 14496-1, 7.2.6.6: 0 is unknown).
 */
function forgetRates(stsd: Uint8Array, esds: Uint8Array): void {
  const entry = boxesIn(stsd, 8)[0]?.payload.subarray(AUDIO_ENTRY_BYTES) ?? new Uint8Array()
  for (const box of boxesIn(entry)) if (box.type === 'btrt') box.payload.fill(0)
  const inside = (at: number): number => {
    let after = at + 1
    while (((esds[after] ?? 0) & 0x80) !== 0) after++
    return after + 1
  }
  const stream = inside(VERSION_BYTES)
  const decoder = inside(stream + STREAM_HEAD_BYTES)
  esds.fill(0, decoder + DECODER_TYPE_BYTES, decoder + DECODER_TYPE_BYTES + RATE_BYTES)
}

function timescaleOf(mdhd: Uint8Array): number {
  return view(mdhd).getUint32(mdhd[0] === 1 ? 20 : 12)
}

/** The box in each sample entry that holds the configuration for the codec string. */
const CONFIGURATIONS: Readonly<Record<string, ConfigurationType>> = {
  avc1: 'avcC',
  hvc1: 'hvcC',
  dvh1: 'hvcC',
  av01: 'av1C',
  vp09: 'vpcC',
  mp4a: 'esds',
  'ac-3': 'dac3',
  'ec-3': 'dec3',
  Opus: 'dOps',
  fLaC: 'dfLa',
}

interface Configured {
  readonly type: string
  readonly configuration: { readonly type: ConfigurationType; readonly payload: Uint8Array } | undefined
  readonly dolby?: DolbyVision | undefined
}

function configurationOf(stsd: Uint8Array): Configured {
  const entry = boxesIn(stsd, 8)[0]
  if (!entry) throw new MalformedMp4('An empty stsd')
  const type = CONFIGURATIONS[entry.type]
  if (!type) return { type: entry.type, configuration: undefined }
  const before = VISUAL_CONFIGURATIONS.has(type) ? VISUAL_ENTRY_BYTES : AUDIO_ENTRY_BYTES
  const inside = entry.payload.subarray(before)
  const record = boxesIn(inside).find((box) => DOLBY_BOXES.has(box.type))
  return { type: entry.type, configuration: { type, payload: needBox(inside, type) }, dolby: record && dolbyVisionIn(record.payload) }
}

/** Full box header, block header; then the smallest and the largest block. */
const STREAMINFO_AT = 8

/** Samples of one frame, if the configuration contains it: FLAC with a fixed block size. */
function frameSamplesOf(configuration: Configured['configuration']): number | undefined {
  if (configuration?.type !== 'dfLa') return undefined
  const data = view(configuration.payload)
  const [least, greatest] = [data.getUint16(STREAMINFO_AT), data.getUint16(STREAMINFO_AT + 2)]
  return least === greatest ? least : undefined
}

/** After the sizes of blocks and frames: the rate, the number of channels less one, the bits less one (3.12 of RFC 9639). */
const BITS_AT = STREAMINFO_AT + 12

function sampleBitsOf(configuration: Configured['configuration']): number | undefined {
  if (configuration?.type !== 'dfLa') return undefined
  return ((view(configuration.payload).getUint16(BITS_AT) >> 4) & 31) + 1
}
