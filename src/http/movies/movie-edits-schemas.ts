/** Schemas of administrators' edits of a movie. */
import { Type, type Static } from 'typebox'
import type { EditableFacts } from '../../events/movie-events.ts'
import { languageTag } from '../../vocabulary/language.ts'
import { distinctNames, withoutControls } from '../../vocabulary/text.ts'
import type { MatchPin } from '../../../projections/views/movie-document.ts'
import { invalid } from '../server/errors.ts'
import { nullable, text, VISIBLE } from '../server/values-schemas.ts'

const NAME_MAX = 300
const TEXT_MAX = 10_000
/** Neither white space nor a control character. */

const title = Type.String({ maxLength: NAME_MAX, pattern: VISIBLE })
const line = nullable(text(NAME_MAX))
const names = Type.Optional(Type.Array(Type.String({ maxLength: NAME_MAX, pattern: VISIBLE }), { maxItems: 100 }))
const year = nullable(Type.Integer({ minimum: 1800, maximum: 2200 }))

export const MovieEditBody = Type.Object(
  {
    title: Type.Optional(title),
    originalTitle: Type.Optional(line),
    sortTitle: Type.Optional(line),
    year: Type.Optional(year),
    releaseDate: Type.Optional(nullable(Type.String({ format: 'date' }))),
    overview: Type.Optional(nullable(text(TEXT_MAX))),
    tagline: Type.Optional(line),
    contentRating: Type.Optional(line),
    rating: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 10 }))),
    genres: names,
    tags: names,
    countries: names,
    studios: names,
    languages: names,
    collection: Type.Optional(line),
  },
  {
    description: 'Members that are sent stay as they are, whatever scans find. Null means unknown.',
    examples: [{ title: 'The Bridge', genres: ['Drama', 'War'] }],
  },
)

/** @throws HttpError 422 for an invalid language */
export function toEdits(body: Static<typeof MovieEditBody>): Partial<EditableFacts> {
  const members = Object.keys(MovieEditBody.properties)
  const named = Object.entries(body).filter(([member]) => members.includes(member))
  const edits: Partial<EditableFacts> = Object.fromEntries(named.map(([member, value]) => [member, tidied(value)]))
  return edits.languages ? { ...edits, languages: distinctNames(edits.languages.map(toLanguage)) } : edits
}

/** A blank line counts as missing, a control character as a space, and names that differ only in case or diacritics count once. */
function tidied(value: unknown): unknown {
  if (Array.isArray(value)) return distinctNames(value.map((item) => withoutControls(String(item)).trim()))
  return typeof value === 'string' ? withoutControls(value).trim() || null : value
}

function toLanguage(name: string, index: number): string {
  const tag = languageTag(name)
  if (tag === null) throw invalid([{ path: `languages.${index}`, message: 'is not a language' }])
  return tag
}

export const MatchBody = Type.Object(
  {
    tmdbId: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,9}$', examples: ['348'] })),
    imdbId: Type.Optional(Type.String({ pattern: '^tt[0-9]{6,10}$', examples: ['tt0078748'] })),
    title: Type.Optional(title),
    year: Type.Optional(year),
  },
  { description: 'At least one of `tmdbId`, `imdbId` and `title`; `year` belongs to `title`.', examples: [{ tmdbId: '12720' }] },
)

/** @throws HttpError 422 if it identifies nothing */
export function toPin({ tmdbId, imdbId, title: name, year: made }: Static<typeof MatchBody>): MatchPin {
  if (tmdbId === undefined && imdbId === undefined && name === undefined) {
    throw invalid([{ path: '', message: 'needs tmdbId, imdbId or title' }])
  }
  if (made !== undefined && name === undefined) throw invalid([{ path: 'title', message: 'is required with year' }])
  return { tmdb: tmdbId ?? null, imdb: imdbId ?? null, title: name === undefined ? null : withoutControls(name).trim(), year: made ?? null }
}
