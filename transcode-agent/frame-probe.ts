/** Chooses how thumbnails of films look: the same colours and brightness as the agent's encoded video. */
import { toneMapOf } from '../src/domain/streaming/tone-map.ts'
import type { ReadVideo } from '../src/ports/media-reads.ts'
import { createFilterProbe } from './filter-probe.ts'
import { mapperArguments, scaleFilters } from './colour-filters.ts'

/** Filters from a decoded frame to the thumbnail: size, brightness, colours. */
interface Look {
  /** Arguments that must come before the input. */
  readonly needs: readonly string[]
  readonly filters: readonly string[]
}

/** @throws Error this machine cannot show the film's colours */
export type FrameProbe = (video: ReadVideo) => Promise<Look>

const NOTHING = { zscale: false }

export function createFrameProbe(ffmpegPath: string): FrameProbe {
  const capabilities = createFilterProbe(ffmpegPath)
  return async ({ width, height, track }) => {
    const wanted = toneMapOf(track)
    if (!wanted || wanted.by === 'none') return { needs: [], filters: scaleFilters({ width, height, toneMap: wanted }, NOTHING) }
    const can = await capabilities(wanted.by)
    // Any other filter would turn its colours green and purple.
    if (wanted.by === 'libplacebo' && !can.libplacebo) throw new Error('No libplacebo, which alone shows these colours')
    const toneMap = wanted.by === 'zscale' && !can.zscale ? ({ ...wanted, by: 'none' } as const) : wanted
    return { needs: mapperArguments(toneMap), filters: scaleFilters({ width, height, toneMap }, can) }
  }
}
