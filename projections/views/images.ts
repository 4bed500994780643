/** View `images`: maps an image id to a file, or to an image of an online metadata provider. */
import { derivedId } from '../../src/events/derived-id.ts'
import type { ImageId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import { ARTWORK_KINDS, type ArtworkKind } from '../../src/events/movie-events.ts'
import { operations, type View } from './view.ts'

/** An image file beside a film; the film's own path stands for a still extracted from it. */
export interface FileImage {
  readonly source: 'file'
  readonly id: ImageId
  readonly movieId: MovieId
  readonly kind: ArtworkKind
  readonly path: string
}

export interface OnlineImage {
  readonly source: 'online'
  readonly id: ImageId
  /** The movie that the image shows; for a portrait, one of the movies with this person. */
  readonly movieId: MovieId
  readonly kind: ArtworkKind | 'person'
  /** The provider's name for the image. */
  readonly picture: string
}

export type ImageDocument = FileImage | OnlineImage

/**
 * Artwork gets one id per movie, because its fallback is a still of that film. Portraits get one id per library, because access to a
 * library includes its images. `salt` comes from the event that names the image.
 */
export const onlineImageId = (of: MovieId | LibraryId, picture: string, salt?: string): ImageId =>
  derivedId('image', `${of}\0online\0${picture}${salt === undefined ? '' : `\0${salt}`}`)

export function onlineArtworkOf(
  movieId: MovieId,
  { poster, backdrop, logo }: Readonly<Record<ArtworkKind, string | null>>,
  salt?: string,
): Readonly<Record<ArtworkKind, ImageId | null>> {
  const idOf = (picture: string | null) => (picture === null ? null : onlineImageId(movieId, picture, salt))
  return { poster: idOf(poster), backdrop: idOf(backdrop), logo: idOf(logo) }
}

const { put } = operations<ImageDocument>()

export const images: View<ImageDocument> = {
  name: 'images',
  version: 3,
  fields: {},
  indexes: [],
  handles: {
    MovieArtworkChosen: ({ data: { movieId, artwork } }) =>
      ARTWORK_KINDS.flatMap((kind) => {
        const image = artwork[kind]
        return image ? put(image.imageId, { source: 'file', id: image.imageId, movieId, kind, path: image.path }) : []
      }),
    MovieMatchedOnline: ({ data: { movieId, libraryId, artwork, facts, imageSalt } }) => {
      const shown = (picture: string | null | undefined, kind: OnlineImage['kind']) => {
        if (!picture) return []
        const id = onlineImageId(kind === 'person' ? libraryId : movieId, picture, imageSalt)
        return put(id, { source: 'online', id, movieId, kind, picture })
      }
      const people = new Set([...facts.cast, ...facts.crew].map((person) => person.picture))
      return [...ARTWORK_KINDS.flatMap((kind) => shown(artwork[kind], kind)), ...[...people].flatMap((picture) => shown(picture, 'person'))]
    },
  },
}
