/** Filters that bring a picture to its size and to the colours of every screen (BT.709, limited range). */
import type { ToneMap } from '../src/domain/streaming/tone-map.ts'
import type { ToneMapping } from '../src/vocabulary/tone-mapper.ts'
import type { Capabilities, VideoOutput } from './work.ts'

interface Sized {
  readonly width: number
  readonly height: number
}

const TRANSFERS: Readonly<Record<ToneMap['transfer'], string>> = { pq: 'smpte2084', hlg: 'arib-std-b67', sdr: 'bt709' }
const WHITE_NITS = 100
const BT709 = 'color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv'

/** Size and colours. */
export function scaleFilters(output: Pick<VideoOutput, 'width' | 'height' | 'toneMap'>, capabilities: Capabilities): readonly string[] {
  const { width, height, toneMap } = output
  if (!toneMap) return [`scale=${width}:${height}:flags=bicubic`]
  return [colours(toneMap), ...MAPPINGS[toneMap.by]({ width, height }, toneMap, capabilities)]
}

/** Filters take what a picture says of itself, which is nothing where the film does not say it in each of its layers. */
function colours({ transfer, primaries, matrix, isFullRange }: ToneMap): string {
  const range = isFullRange ? 'pc' : 'tv'
  return `setparams=color_primaries=${primaries}:color_trc=${TRANSFERS[transfer]}:colorspace=${matrix}:range=${range}`
}

const MAPPINGS: Readonly<Record<ToneMapping, (size: Sized, toneMap: ToneMap, capabilities: Capabilities) => readonly string[]>> = {
  zscale: (size, { transfer, peakNits }) => (transfer === 'sdr' ? narrowed(size) : toneMapped(size, peakNits)),
  libplacebo: (size, _, capabilities) => byLibplacebo(size, capabilities),
  none: ({ width, height }) => [`scale=${width}:${height}:flags=bicubic:out_range=tv`, `setparams=${BT709}`],
}

/** One pass: both ends are of usual brightness. */
const narrowed = ({ width, height }: Sized): readonly string[] => [`zscale=w=${width}:h=${height}:p=bt709:t=bt709:m=bt709:r=limited`]

/**
 * Linear light, 1 of which is 100 cd/m2; HLG for a screen of 1000 cd/m2. Of the curves that ffmpeg has, Hable's from 100 cd/m2 is nearest
 * to what libplacebo makes of the same pictures (29.8 dB; Mobius from 203 cd/m2 24.7 dB).
 * The peak is said: by themselves filters believe whatever a film says of it.
 */
const toneMapped = ({ width, height }: Sized, peakNits: number): readonly string[] => [
  `zscale=w=${width}:h=${height}:t=linear:npl=${WHITE_NITS}`,
  'format=gbrpf32le',
  'zscale=p=bt709',
  `tonemap=hable:desat=0:peak=${peakNits / WHITE_NITS}`,
  'zscale=t=bt709:m=bt709:r=limited',
]

/**
 * Nothing that depends on the pictures before: what a run makes must not depend on where it began. The recovery of contrast is a race on
 * some devices, whose pictures have stripes then.
 */
function byLibplacebo({ width, height }: Sized, { libplacebo }: Capabilities): readonly string[] {
  const curve = `tonemapping=spline:peak_detect=false${libplacebo?.hasContrastRecovery ? ':contrast_recovery=0' : ''}`
  const made = 'colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p'
  return ['format=yuv420p10le', 'hwupload', `libplacebo=w=${width}:h=${height}:${curve}:${made}`, 'hwdownload', 'format=yuv420p']
}

/** What has to be there before the film is opened. */
export const mapperArguments = (toneMap: ToneMap | null): readonly string[] =>
  toneMap?.by === 'libplacebo' ? ['-init_hw_device', 'vulkan=mapper', '-filter_hw_device', 'mapper'] : []
