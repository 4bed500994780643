/** Plans the video: the film's own, cut at its keyframes, and the rungs of the ladder beside it or instead of it. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { ToneMapping } from '../../vocabulary/tone-mapper.ts'
import type { MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import { burnInOf, type BurntSubtitle } from './burn-in.ts'
import type { MediaTimes } from './media-times.ts'
import { frameRateOf, shownRate } from './frame-rate.ts'
import { addedMatrix } from './colour-matrix.ts'
import { configuredCodec } from './configured-codec.ts'
import { containerBps } from './container-rate.ts'
import { copiedPeakBps } from './copy-bitrate.ts'
import { copyObstacles } from './stream-copy.ts'
import { videoBitrate } from './decision.ts'
import { copyCuts, type CopyCuts } from './copy-cuts.ts'
import { alignedGrid, evenGrid, gridName, type Grid } from './segment-grid.ts'
import { encodedCodec, SOFTWARE } from './encoders.ts'
import { h264Level, MOST_FRAME_RATE } from './h264-level.ts'
import { mayBeInterlaced } from './interlacing.ts'
import { dolbyNames } from './dolby-vision.ts'
import { displaySize, keepsPace, ladderOf, type Rung } from './ladder.ts'
import { probedCodec } from './probed-codec.ts'
import { fillingBps, RATE_CONTROL } from './rate-control.ts'
import type { VideoRendition } from './rendition.ts'
import { toneMapName, toneMapOf } from './tone-map.ts'
import { rangeOf } from './video-range.ts'

/** With fewer frames a segment might have no frame: such films get a fixed rate. */
const LEAST_FRAME_RATE = 1
const FIXED_FRAME_RATE = 5
/** Assumed peak of a copy, if the index does not show it; films rarely exceed this. */
const PEAK_OF_AVERAGE = 2
/** Change it with the way in which frames get their times: old and new segments must not be combined. */
const TIMES = 'times1'
const FIXED_TIMES = 'times2'

export interface PlannedVideo {
  readonly media: MediaDescription
  readonly track: VideoTrack
  readonly times: MediaTimes | undefined
  readonly client: ClientCapabilities
  readonly encoder: Encoder
  readonly toneMapping?: ToneMapping | undefined
  /** Whether the player supports the film's own video. */
  readonly copies: boolean
  readonly burnt?: BurntSubtitle | undefined
}

/** The default one first, then best first. */
export function videoRenditions(planned: PlannedVideo): readonly VideoRendition[] {
  const { media, track, copies, client, encoder, toneMapping } = planned
  const grids = gridsOf(planned)
  const bitrateBps = videoBitrate(media, track)
  const toneMapped = toneMapOf(track, toneMapping) !== null
  const rungs = ladderOf(track, { bitrateBps, besideCopy: copies, toneMapped, client, encoder })
  const copy = copies && grids.cuts ? [copied(planned, grids.cuts)] : []
  const first = copy.length > 0 ? undefined : (rungs.find((rung) => keepsPace(rung, { encoder, toneMapped })) ?? rungs[0])
  const ordered = rungs.toSorted((a, b) => Number(b === first) - Number(a === first))
  return [...copy, ...ordered.map((rung) => transcoded(planned, rung, grids.made))]
}

/**
 * A film that can be copied is transcoded on the copy's boundaries even for a player that does not support the copy, so that all viewers of
 * a rung share it.
 */
function gridsOf({ media, track, times }: PlannedVideo): { readonly cuts: CopyCuts | undefined; readonly made: Grid } {
  if (!times || copyObstacles(media, track, times).length > 0)
    return { cuts: undefined, made: evenGrid(media.durationMs, times?.videoEndMs) }
  const cuts = copyCuts(times, media.durationMs)
  return { cuts, made: alignedGrid(cuts.grid, times.videoEndMs) }
}

function copied({ media, track, times }: PlannedVideo, { grid, areIndependent, standAlone }: CopyCuts): VideoRendition {
  const bitrateBps = videoBitrate(media, track)
  const peakBps = Math.max(bitrateBps, (times && copiedPeakBps(media, times, grid)) ?? bitrateBps * PEAK_OF_AVERAGE)
  const boxesBps = containerBps(track.frameRate ?? MOST_FRAME_RATE, grid)
  const dolby = dolbyNames(track)
  const codec = dolby.codec ?? configuredCodec(media, track, times)
  return {
    // Separate from copies made when Dolby Vision was taken for HDR10: their init segment differs.
    key: `v${track.stream}-copy-${dolby.codec || dolby.supplementalCodec ? 'dolby-' : ''}${TIMES}-${gridName(grid)}`,
    name: 'original',
    method: 'remux',
    stream: track.stream,
    output: {
      type: 'copy-video',
      ...(track.codec === 'hevc' ? { tag: dolby.codec ? 'dvh1' : 'hvc1' } : {}),
      cadence: frameRateOf(media, track, times),
    },
    grid,
    areIndependent,
    standAlone,
    bitrateBps: bitrateBps + boxesBps,
    peakBitrateBps: Math.round(peakBps) + boxesBps,
    codec: codec ?? probedCodec(track),
    isCodecExact: codec !== undefined,
    ...omitUndefined({ supplementalCodec: dolby.supplementalCodec }),
    ...displaySize(track),
    frameRate: shownRate(track, times),
    videoRange: rangeOf(track),
  }
}

function transcoded(planned: PlannedVideo, rung: Rung, grid: Grid): VideoRendition {
  const { media, track, times, toneMapping, burnt } = planned
  const { name, width, height, maxBitrateBps } = rung
  const toneMap = toneMapOf(track, toneMapping, times?.tracks?.find(({ type }) => type === 'video')?.hdr)
  const matrix = toneMap ? undefined : addedMatrix(track)
  // Both need the only filter device of ffmpeg.
  const encoder = toneMap?.by === 'libplacebo' ? SOFTWARE : planned.encoder
  const framesPerSecond = track.frameRate !== null && track.frameRate < LEAST_FRAME_RATE ? FIXED_FRAME_RATE : null
  const moments = framesPerSecond === null ? TIMES : FIXED_TIMES
  const form = `${encoder}-${width}x${height}-${Math.round(maxBitrateBps / 1000)}k-${RATE_CONTROL}-${moments}${toneMapName(toneMap)}${matrix ? `-${matrix}` : ''}`
  const frameRate = framesPerSecond ?? track.frameRate
  const level = h264Level(width, height, frameRate)
  const boxesBps = containerBps(frameRate ?? MOST_FRAME_RATE, grid)
  return {
    key: `v${track.stream}-${form}-${burnt ? `${burnt.key}-` : ''}${gridName(grid)}`,
    name,
    method: 'transcode',
    stream: track.stream,
    output: {
      type: 'encode-video',
      encoder,
      width,
      height,
      maxBitrateBps,
      level,
      deinterlace: mayBeInterlaced(track),
      toneMap,
      ...omitUndefined({ matrix }),
      framesPerSecond,
      cadence: framesPerSecond === null ? frameRateOf(media, track, times) : { numerator: framesPerSecond, denominator: 1, startMs: null },
      ...(burnt ? { burnIn: burnInOf(burnt, media, track) } : {}),
    },
    grid,
    areIndependent: true,
    standAlone: true,
    // Constant-quality encoding needs less for simple scenes, but their share is not known in advance.
    bitrateBps: fillingBps(maxBitrateBps) + boxesBps,
    peakBitrateBps: maxBitrateBps + boxesBps,
    codec: encodedCodec(encoder, level),
    isCodecExact: true,
    width,
    height,
    frameRate: framesPerSecond ?? shownRate(track, times),
    videoRange: 'SDR',
  }
}
