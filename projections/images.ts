/** View `images`: which file an image id stands for. */
import type { ImageId, MovieId } from '../src/events/id.ts'
import { operations, type View } from './view.ts'

export interface ImageDocument {
  readonly id: ImageId
  readonly movieId: MovieId
  readonly path: string
}

const { put } = operations<ImageDocument>()

export const images: View<ImageDocument> = {
  name: 'images',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    MovieArtworkChosen: ({ data }) =>
      Object.values(data.artwork).flatMap((image) =>
        image ? put(image.imageId, { id: image.imageId, movieId: data.movieId, path: image.path }) : [],
      ),
  },
}
