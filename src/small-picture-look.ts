/** How small pictures of films look: as what the transcode agent encodes, colours and brightness included. */
import { toneMapOf } from './domain/streaming/tone-map.ts'
import { createCapabilities } from '../transcode-agent/capabilities.ts'
import { mapperArguments, scaleFilters } from '../transcode-agent/colour-filters.ts'
import type { FilmPicturesOptions } from './adapters/media/film-pictures.ts'

const NOTHING = { zscale: false }

export function smallPictureLook(ffmpegPath: string): FilmPicturesOptions['look'] {
  const capabilities = createCapabilities(ffmpegPath)
  return async ({ width, height, track }) => {
    const wanted = toneMapOf(track)
    if (!wanted || wanted.by === 'none') return { needs: [], filters: scaleFilters({ width, height, toneMap: wanted }, NOTHING) }
    const can = await capabilities(wanted.by)
    // Its colours are green and purple to everything else.
    if (wanted.by === 'libplacebo' && !can.libplacebo) throw new Error('No libplacebo, which alone shows these colours')
    const toneMap = wanted.by === 'zscale' && !can.zscale ? ({ ...wanted, by: 'none' } as const) : wanted
    return { needs: mapperArguments(toneMap), filters: scaleFilters({ width, height, toneMap }, can) }
  }
}
