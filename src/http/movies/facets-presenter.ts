/** Presents the facets of movies. */
import type { CollectionCard, CollectionSummary, FacetLists, Facets, Person } from '../../app/movies/facets.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { CollectionBody, CollectionSummaryBody, FacetsBody, PersonBody } from './facets-schemas.ts'
import { presentSummaryAs } from './movie-presenter.ts'
import type { SummaryView } from './movie-schemas.ts'
import { imageUrl } from '../server/values-presenter.ts'

export function presentFacets(facets: Facets): FacetsBody {
  const { genres, years, videoCodecs, audioCodecs, resolutions, languages } = facets
  return {
    genres: [...genres],
    years: years.map(({ value, count }) => ({ value: Number(value), count })),
    videoCodecs: [...videoCodecs],
    audioCodecs: [...audioCodecs],
    resolutions: [...resolutions],
    languages: [...languages],
  }
}

export function presentPerson({ id, name, image, movies }: Person, view?: SummaryView): PersonBody {
  const summary = presentSummaryAs(view)
  return {
    id,
    name,
    image: imageUrl(image),
    movies: movies.map(({ movie, roles }) => ({ summary: summary(movie), roles: [...roles] })),
  }
}

export const presentCollectionSummary = ({ id, name, movieCount }: CollectionSummary, card?: CollectionCard): CollectionSummaryBody => ({
  id,
  name,
  movieCount,
  watchedCount: card?.watchedCount ?? null,
  images: { poster: imageUrl(card?.poster ?? null), posterTint: card?.posterTint ?? null },
})

type FoundCollection = Exclude<Awaited<ReturnType<FacetLists['collection']>>, Refusal>

export function presentCollection({ id, name, movies }: FoundCollection, view?: SummaryView): CollectionBody {
  return { id, name, movieCount: movies.length, movies: movies.map(presentSummaryAs(view)) }
}
