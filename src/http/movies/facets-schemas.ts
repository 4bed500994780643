/** Schemas of facets: values to filter by, people, collections. */
import { Type, type Static } from 'typebox'
import { imageTint, imageUrl, MovieSummary } from './movie-schemas.ts'
import { Count, Id, named, nullable, pageOf, refTo } from '../server/values-schemas.ts'

const values = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), count: Count }), { description: `${description}; the most frequent first.` })
const years = Type.Array(Type.Object({ value: Type.Integer(), count: Count }))

export const Facets = named(
  'Facets',
  Type.Object(
    {
      genres: values('Genres'),
      years,
      videoCodecs: values('Video codecs'),
      audioCodecs: values('Audio codecs'),
      resolutions: values('Resolutions'),
      languages: values('Languages of the films'),
    },
    { description: 'Values of the filters of the movie list, among the available movies that the caller sees.' },
  ),
)
export type FacetsBody = Static<typeof Facets>

export const Person = named(
  'Person',
  Type.Object({
    id: Id,
    name: Type.String(),
    image: nullable(Type.String()),
    movies: Type.Array(
      Type.Object({
        summary: refTo(MovieSummary),
        roles: Type.Array(Type.String(), { description: 'Characters and jobs.' }),
      }),
    ),
  }),
)
export type PersonBody = Static<typeof Person>

const collection = { id: Id, name: Type.String(), movieCount: Count }

export const CollectionSummary = named(
  'CollectionSummary',
  Type.Object({
    ...collection,
    watchedCount: nullable(Type.Integer({ minimum: 0, description: 'Movies that the caller has watched; null without `view=card`.' })),
    images: Type.Object(
      { poster: imageUrl, posterTint: imageTint },
      { description: 'Of the first movie that has a poster; with `view=card`.' },
    ),
  }),
)
export type CollectionSummaryBody = Static<typeof CollectionSummary>
export const CollectionSummaryPage = pageOf(CollectionSummary)

export const Collection = named(
  'Collection',
  Type.Object({
    ...collection,
    movies: Type.Array(refTo(MovieSummary), { description: 'In order of release.' }),
  }),
)
export type CollectionBody = Static<typeof Collection>
