/** Reads an init segment's facts about its track. */
import { timescaleOf } from '../../fixtures/segment-table.ts'
import { boxes, find, need, typesIn } from './boxes.ts'
import { channelsOf, codecString, coreRateOf } from './codec-string.ts'

export interface InitFacts {
  readonly types: readonly string[]
  readonly brands: readonly string[]
  /** Boxes of `moov`, and of its first track. */
  readonly movie: readonly string[]
  readonly track: readonly string[]
  readonly tracks: number
  readonly trackId: number
  /** From `trex`. */
  readonly extendsTrack: number | undefined
  readonly handler: string
  readonly timescale: number
  /** Number of samples in the sample tables, which a fragmented film leaves empty. */
  readonly listedSamples: number
  readonly entry: string
  readonly codec: string
  /** As displayed, after rotation; zero for audio. */
  readonly width: number
  readonly height: number
  readonly channels: number
  /** The stream contains half the samples, and a decoder generates the others: AAC with implicitly signalled SBR. */
  readonly hiddenSbr: boolean
  /** Transfer characteristics (ISO 23091-2) of `colr`. */
  readonly transfer: number | undefined
}

const VISUAL_BYTES = 78
const TABLES = ['stts', 'stsc', 'stco'] as const

export function initFacts(init: Uint8Array): InitFacts {
  const moov = need(init, 'moov')
  const trak = need(moov, 'trak')
  const stbl = need(trak, 'mdia', 'minf', 'stbl')
  const [entry] = boxes(need(stbl, 'stsd'), 8)
  if (!entry) throw new Error('No sample entry')
  const ftyp = need(init, 'ftyp')
  const handler = need(trak, 'mdia', 'hdlr').toString('latin1', 8, 12)
  return {
    types: typesIn(init),
    brands: [ftyp.toString('latin1', 0, 4), ...(ftyp.toString('latin1', 8).match(/.{4}/gs) ?? [])],
    movie: typesIn(moov),
    track: typesIn(trak),
    tracks: boxes(moov).filter(({ type }) => type === 'trak').length,
    ...shownAs(need(trak, 'tkhd')),
    extendsTrack: find(moov, 'mvex', 'trex')?.readUInt32BE(4),
    handler,
    timescale: timescaleOf(init),
    listedSamples: TABLES.reduce((sum, type) => sum + need(stbl, type).readUInt32BE(4), need(stbl, 'stsz').readUInt32BE(8)),
    entry: entry.type,
    codec: codecString(entry),
    hiddenSbr: entry.type === 'mp4a' && coreRateOf(entry) * 2 === timescaleOf(init),
    channels: handler === 'soun' ? channelsOf(entry) : 0,
    transfer: handler === 'vide' ? find(entry.body.subarray(VISUAL_BYTES), 'colr')?.readUInt16BE(6) : undefined,
  }
}

/** The matrix of a track rotated by 90 degrees has nothing on its diagonal. */
function shownAs(tkhd: Buffer): Pick<InitFacts, 'trackId' | 'width' | 'height'> {
  const long = tkhd[0] === 1 ? 12 : 0
  const matrix = 40 + long
  const [width, height] = [matrix + 36, matrix + 40].map((at) => tkhd.readUInt32BE(at) / 65_536)
  const turned = tkhd.readInt32BE(matrix) === 0
  return { trackId: tkhd.readUInt32BE(12 + (long ? 8 : 0)), width: (turned ? height : width) ?? 0, height: (turned ? width : height) ?? 0 }
}
