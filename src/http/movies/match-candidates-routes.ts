/** Serves films of the online provider that a movie may be, with their posters, to administrators who correct a match. */
import { Type } from 'typebox'
import { CANDIDATES_MAX, type MatchCandidate as Candidate } from '../../app/online/match-candidates.ts'
import { isOnlineImageName } from '../../ports/online-metadata.ts'
import type { App, RouteContext } from '../server/app.ts'
import { disconnectSignal } from '../server/disconnect-signal.ts'
import { notFound, unwrap } from '../server/errors.ts'
import { callerOf } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { named, nullable, refTo, text, VISIBLE } from '../server/values-schemas.ts'

const tag = 'movies'
const POSTERS = '/v1/admin/match-posters'
const KEPT_SECONDS = 600

const MatchCandidate = named(
  'MatchCandidate',
  Type.Object({
    tmdbId: Type.String({ description: 'For `POST /v1/movies/{id}/match`.' }),
    title: Type.String(),
    originalTitle: nullable(Type.String()),
    year: nullable(Type.Integer()),
    overview: nullable(Type.String()),
    poster: nullable(Type.String({ description: 'Path of a small image on this server.', examples: [`${POSTERS}/abc.jpg`] })),
    current: Type.Boolean({ description: 'Whether the movie is this film now.' }),
  }),
)

export const MatchCandidateList = named(
  'MatchCandidateList',
  Type.Object({
    q: Type.String({ description: 'The title that was searched for.' }),
    year: nullable(Type.Integer({ description: 'The year that was searched for.' })),
    items: Type.Array(refTo(MatchCandidate), { maxItems: CANDIDATES_MAX }),
  }),
)

export const MATCH_CANDIDATE_SCHEMAS = [MatchCandidate, MatchCandidateList]

const LIST_CANDIDATES = {
  ...operation({
    id: 'listMatchCandidates',
    tag,
    summary: 'List match candidates of a movie',
    description:
      'Searches at the provider of online metadata, its best first. 409 if online metadata is off, or if the provider rejects the key; 503 while it does not answer.',
    by: 'admins',
    answers: { 200: { description: 'The candidates.', schema: refTo(MatchCandidateList) } },
    errors: [404, 409, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE, description: 'Title. Default: that of the movie, as its files say.' }),
    ),
    year: Type.Optional(
      Type.Integer({
        minimum: 1800,
        maximum: 2200,
        description: 'Films of this year only. Default: those of the year of the movie come first.',
      }),
    ),
  }),
}

const GET_POSTER = {
  ...operation({
    id: 'getMatchPoster',
    tag,
    summary: 'Get the poster of a candidate',
    description: 'A small image of the provider, encoded again.',
    by: 'admins',
    answers: { 200: { description: 'The poster.', schema: Type.String({ format: 'binary' }), type: 'image/jpeg' } },
    errors: [404, 409],
  }),
  params: Type.Object({ name: text(105, { description: 'As in `poster` of a candidate.' }) }),
}

export function addMatchCandidateRoutes(app: App, { services }: RouteContext<'matchCandidates' | 'candidatePosters'>): void {
  const { matchCandidates, candidatePosters } = services

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/match/candidates',
    schema: LIST_CANDIDATES,
    handler: async (request, reply) => {
      const { q, year } = request.query
      const by = { search: { title: q?.trim(), year }, signal: disconnectSignal(reply) }
      const found = unwrap(await matchCandidates.find(callerOf(request), request.params.id, by))
      return { q: found.title, year: found.year, items: found.candidates.map(presentCandidate) }
    },
  })

  app.route({
    method: 'GET',
    url: `${POSTERS}/:name`,
    schema: GET_POSTER,
    handler: async (request, reply) => {
      const name = `/${request.params.name}`
      // No other text of a request becomes part of an address.
      if (!isOnlineImageName(name)) throw notFound('There is no such poster')
      const bytes = unwrap(await candidatePosters.get(name, disconnectSignal(reply)))
      reply.header('cache-control', `private, max-age=${KEPT_SECONDS}`)
      return reply.type('image/jpeg').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    },
  })
}

const presentCandidate = ({ tmdb, title, originalTitle, year, overview, poster, isCurrent }: Candidate) => ({
  tmdbId: tmdb,
  title,
  originalTitle,
  year,
  overview,
  poster: poster === null ? null : `${POSTERS}${poster}`,
  current: isCurrent,
})
