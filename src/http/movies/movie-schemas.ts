/** Schemas of movies: list items, details, credits, files, marks. */
import { Type, type Static } from 'typebox'
import { ANCHORS_MAX, LETTERS_MAX } from '../../app/movies/movie-anchors.ts'
import { RESOLUTIONS } from '../../vocabulary/resolution.ts'
import { Count, Id, Seconds, Time, named, nullable, nullableEnum, pageOf } from '../server/values-schemas.ts'

const names = Type.Array(Type.String())
const unknownText = nullable(Type.String())
const resolution = nullableEnum([...RESOLUTIONS])
export const imageUrl = nullable(Type.String({ description: 'Path of the image.', examples: ['/api/images/V1StGXR8Z5jdHi6B1myTq'] }))
export const imageTint = nullable(
  Type.String({
    pattern: '^#[0-9a-f]{6}$',
    description: 'Mean colour of the image, to paint in its place until it comes; null until it is known.',
    examples: ['#7a2b1c'],
  }),
)

const summary = {
  id: Id,
  libraryId: Id,
  title: Type.String(),
  originalTitle: unknownText,
  sortTitle: Type.String({ description: 'Case-folded title without a leading article, for sorting.' }),
  year: nullable(Type.Integer()),
  releaseDate: nullable(Type.String({ examples: ['2019-05-01'] })),
  overview: unknownText,
  duration: nullable(Seconds),
  genres: names,
  contentRating: unknownText,
  rating: nullable(Type.Number({ minimum: 0, maximum: 10 })),
  resolution,
  hdr: unknownText,
  images: Type.Object({ poster: imageUrl, backdrop: imageUrl, logo: imageUrl, posterTint: imageTint, backdropTint: imageTint }),
  availability: Type.Enum(['available', 'missing']),
  addedAt: Time,
  updatedAt: Time,
  watched: Type.Boolean(),
  watchedAt: nullable(Time),
  playCount: Count,
  position: Type.Number({ minimum: 0, description: 'Resume point in seconds; 0 if there is none.' }),
  lastPlayedAt: nullable(Time),
  watchlist: Type.Boolean(),
}

/** How many details of each movie a list shows. */
export const VIEW_QUERY = {
  view: Type.Optional(
    Type.Enum(['full', 'card'], {
      default: 'full',
      description: '`card`: `overview`, `originalTitle` and `contentRating` are null, for lists that do not show them.',
    }),
  ),
}
export type SummaryView = 'full' | 'card'

export const MovieSummary = named('MovieSummary', Type.Object(summary, { description: 'A movie in a list, with the marks of the caller.' }))
export type MovieSummaryBody = Static<typeof MovieSummary>

export const MovieSummaryPage = pageOf(MovieSummary)
export type MovieSummaryPageBody = Static<typeof MovieSummaryPage>

const anchorMembers = {
  index: Type.Integer({ minimum: 0, description: 'Position of the movie in the list, from 0.' }),
  cursor: nullable(
    Type.String({ description: '`cursor` of a page of `GET /v1/movies` that begins with this movie; null: the first page does.' }),
  ),
}
const anchorLabel = {
  description:
    'By `sort`: first letter of the title (`#` if it is none), year, year and month (`addedAt`, `lastPlayedAt`) or whole rating; ' +
    'null if it is unknown, and for all other orders.',
  examples: ['M', '1999', '2026-01', '7'],
}

export const MovieAnchors = named(
  'MovieAnchors',
  Type.Object(
    {
      total: Count,
      items: Type.Array(Type.Object({ ...anchorMembers, label: nullable(Type.String(anchorLabel)) }), {
        maxItems: ANCHORS_MAX,
        description: 'Every n-th movie, beginning with the first.',
      }),
      letters: Type.Array(Type.Object({ ...anchorMembers, label: Type.String({ examples: ['M'] }) }), {
        maxItems: LETTERS_MAX,
        description: 'With `sort=title`: the first movie of each letter, in the order of the list. Else empty.',
      }),
    },
    {
      examples: [
        {
          total: 120,
          items: [
            { index: 0, label: '#', cursor: null },
            { index: 100, label: 'T', cursor: 'WzEsInRyYWluIiwi.c2lnbmF0dXJl' },
          ],
          letters: [
            { index: 0, label: '#', cursor: null },
            { index: 4, label: 'A', cursor: 'WzEsImFsaWVuIiwi.c2lnbmF0dXJl' },
          ],
        },
      ],
    },
  ),
)
export type MovieAnchorsBody = Static<typeof MovieAnchors>

export const Movie = named(
  'Movie',
  Type.Object({
    ...summary,
    tagline: unknownText,
    countries: names,
    studios: names,
    languages: names,
    tags: names,
    collection: unknownText,
    collectionId: nullable(Id),
    externalIds: Type.Object({ tmdb: unknownText, imdb: unknownText }),
    match: Type.Object({ source: Type.String(), confidence: Type.Number(), pinned: Type.Boolean() }),
    files: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        resolution,
        container: unknownText,
        size: Count,
        duration: nullable(Seconds),
        available: Type.Boolean(),
      }),
    ),
    trickplay: Type.Boolean({ description: 'Whether thumbnails exist.' }),
    subtitleLanguages: names,
    audioLanguages: names,
  }),
)
export type MovieBody = Static<typeof Movie>

const person = { personId: Id, name: Type.String() }

export const Credits = named(
  'Credits',
  Type.Object({
    movieId: Id,
    cast: Type.Array(Type.Object({ ...person, character: unknownText, order: Count, image: imageUrl })),
    crew: Type.Array(Type.Object({ ...person, job: Type.String(), department: Type.String(), image: imageUrl })),
  }),
)
export type CreditsBody = Static<typeof Credits>

export const ResumeMark = named('ResumeMark', Type.Object({ movieId: Id, position: Seconds, updatedAt: Time }))

export const ResumePoint = named(
  'ResumePoint',
  Type.Object({
    id: { ...Id, description: 'Identifier of the entry; of a session, that of the session.' },
    at: Time,
    position: Seconds,
    duration: Seconds,
    fileId: Id,
    sessionId: nullable(Id),
    source: Type.Enum(['playback', 'manual']),
  }),
)

export const ResumePointPage = pageOf(ResumePoint)

export const WatchlistMark = named('WatchlistMark', Type.Object({ movieId: Id, watchlist: Type.Boolean(), addedAt: nullable(Time) }))

export const WatchedMark = named(
  'WatchedMark',
  Type.Object({ movieId: Id, watched: Type.Boolean(), watchedAt: nullable(Time), playCount: Count }),
)
export type WatchedMarkBody = Static<typeof WatchedMark>
