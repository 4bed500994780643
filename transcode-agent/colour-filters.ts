/** Builds the filters that bring a frame to its size and to standard colours (BT.709, limited range). */
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

/** Filters for size and colours. */
export function scaleFilters(
  output: Pick<VideoOutput, 'width' | 'height' | 'toneMap' | 'matrix'>,
  capabilities: Capabilities,
): readonly string[] {
  const { width, height, toneMap, matrix } = output
  if (!toneMap && matrix) return stated({ width, height })
  if (!toneMap) return [`scale=${width}:${height}:flags=bicubic`]
  return [colours(toneMap), ...MAPPINGS[toneMap.by]({ width, height }, toneMap, capabilities)]
}

/** Luma and chroma keep their matrix, and RGB gets it. */
const stated = ({ width, height }: Sized): readonly string[] => [
  `scale=${width}:${height}:flags=bicubic:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv`,
  `setparams=${BT709}`,
]

/** Filters rely on the frame's own colour metadata, which is missing unless the film states it in each of its layers. */
function colours({ transfer, primaries, matrix, isFullRange }: ToneMap): string {
  const range = isFullRange ? 'pc' : 'tv'
  return `setparams=color_primaries=${primaries}:color_trc=${TRANSFERS[transfer]}:colorspace=${matrix}:range=${range}`
}

const MAPPINGS: Readonly<Record<ToneMapping, (size: Sized, toneMap: ToneMap, capabilities: Capabilities) => readonly string[]>> = {
  zscale: (size, { transfer, peakNits }) => (transfer === 'sdr' ? narrowed(size) : toneMapped(size, peakNits)),
  libplacebo: (size, _, capabilities) => byLibplacebo(size, capabilities),
  none: ({ width, height }) => [`scale=${width}:${height}:flags=bicubic:out_range=tv`, `setparams=${BT709}`],
}

/** One pass: source and target both have ordinary brightness. */
const narrowed = ({ width, height }: Sized): readonly string[] => [`zscale=w=${width}:h=${height}:p=bt709:t=bt709:m=bt709:r=limited`]

/**
 * Linear light, where 1 is 100 cd/m2; HLG is rendered for a 1000 cd/m2 screen. Of ffmpeg's curves, Hable's from 100 cd/m2 comes nearest to
 * libplacebo's result for the same frames (29.8 dB; Mobius from 203 cd/m2 24.7 dB). The peak is set explicitly: otherwise the filters trust
 * whatever the film states.
 */
const toneMapped = ({ width, height }: Sized, peakNits: number): readonly string[] => [
  `zscale=w=${width}:h=${height}:t=linear:npl=${WHITE_NITS}`,
  'format=gbrpf32le',
  'zscale=p=bt709',
  `tonemap=hable:desat=0:peak=${peakNits / WHITE_NITS}`,
  'zscale=t=bt709:m=bt709:r=limited',
]

/**
 * Uses no option that depends on previous frames: the output must not depend on where the run started. Contrast recovery has a race
 * condition on some devices, which produces stripes.
 */
function byLibplacebo({ width, height }: Sized, { libplacebo }: Capabilities): readonly string[] {
  const curve = `tonemapping=spline:peak_detect=false${libplacebo?.hasContrastRecovery ? ':contrast_recovery=0' : ''}`
  const made = 'colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p'
  return ['format=yuv420p10le', 'hwupload', `libplacebo=w=${width}:h=${height}:${curve}:${made}`, 'hwdownload', 'format=yuv420p']
}

/** Arguments that must come before the input. */
export const mapperArguments = (toneMap: ToneMap | null): readonly string[] =>
  toneMap?.by === 'libplacebo' ? ['-init_hw_device', 'vulkan=mapper', '-filter_hw_device', 'mapper'] : []
