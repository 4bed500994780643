/** Images of films: a tinted box at once, the image when it is there, and the title if there is none. */
import type { MovieCard } from '../data/queries.ts'

type Images = MovieCard['images']

export interface PosterProps {
  readonly movie: { readonly title: string; readonly images: Pick<Images, 'poster' | 'posterTint'> }
  /** As the attribute of `<img>`. */
  readonly sizes: string
  /** Seen without scrolling: loaded first. */
  readonly isFirst?: boolean
}

/** How wide posters are in lists, and wide images in rows. */
export const POSTER_SIZES = '(max-width: 37.5rem) 27vw, 11rem'
export const STILL_SIZES = '(max-width: 37.5rem) 62vw, 19rem'

const WIDTHS = [160, 240, 320, 480] as const

export const imageAt = (path: string, width: number): string => `${path}?w=${width}&v=1`
export const sourceSet = (path: string, widths: readonly number[] = WIDTHS): string =>
  widths.map((width) => `${imageAt(path, width)} ${width}w`).join(', ')

export function Poster({ movie: { title, images }, sizes, isFirst = false }: PosterProps) {
  const { poster, posterTint } = images
  return (
    <span class="poster" style={posterTint === null ? undefined : { backgroundColor: posterTint }}>
      {poster === null ? (
        <span class="untitled" aria-hidden="true">
          {title}
        </span>
      ) : (
        <img
          src={imageAt(poster, 240)}
          srcset={sourceSet(poster)}
          sizes={sizes}
          width={240}
          height={360}
          alt=""
          loading={isFirst ? 'eager' : 'lazy'}
          fetchpriority={isFirst ? 'high' : 'auto'}
          decoding="async"
        />
      )}
    </span>
  )
}

const STILL_WIDTHS = [320, 480, 640] as const

/** For `srcset`; undefined if there is no such image. */
export const posterImage = ({ poster }: Images): string | undefined => (poster === null ? undefined : sourceSet(poster))
export function stillImage({ backdrop, poster }: Images): string | undefined {
  const image = backdrop ?? poster
  return image === null ? undefined : sourceSet(image, STILL_WIDTHS)
}

interface StillProps {
  readonly movie: Pick<MovieCard, 'title' | 'images'>
  readonly isFirst?: boolean
}

/** A wide image: the backdrop, or the middle of the poster. */
export function Still({ movie: { title, images }, isFirst = false }: StillProps) {
  const { poster, posterTint, backdrop, backdropTint } = images
  const image = backdrop ?? poster
  const tint = backdrop === null ? posterTint : backdropTint
  return (
    <span class="still" style={tint === null ? undefined : { backgroundColor: tint }}>
      {image === null ? (
        <span class="untitled" aria-hidden="true">
          {title}
        </span>
      ) : (
        <img
          src={imageAt(image, 480)}
          srcset={sourceSet(image, STILL_WIDTHS)}
          sizes={STILL_SIZES}
          width={480}
          height={270}
          alt=""
          loading={isFirst ? 'eager' : 'lazy'}
          fetchpriority={isFirst ? 'high' : 'auto'}
          decoding="async"
        />
      )}
    </span>
  )
}
