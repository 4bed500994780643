/** Asks for the images of the home page that are seen first, before the page is drawn. */
import type { Home } from '../data/queries.ts'
import { POSTER_SIZES, posterImage, STILL_SIZES, stillImage } from './poster.tsx'

/** As many as a phone shows. */
const STILLS = 2
const POSTERS = 4

export function fetchFirstImages({ continueWatching, recentlyAdded }: Home): void {
  for (const { movie } of continueWatching.slice(0, STILLS)) fetchImage(stillImage(movie.images), STILL_SIZES)
  for (const { images } of recentlyAdded.slice(0, POSTERS)) fetchImage(posterImage(images), POSTER_SIZES)
}

function fetchImage(srcset: string | undefined, sizes: string): void {
  if (srcset === undefined) return
  const image = new Image()
  image.sizes = sizes
  image.srcset = srcset
}
