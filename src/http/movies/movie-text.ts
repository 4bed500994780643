/**
 * Presents movies of a list as JSON, from the JSON of their cards as it is stored: most of a card is sent as it is, so it is neither parsed
 * nor serialized again. The result is the JSON of `presentSummaryAs`.
 */
import type { MovieForUser } from '../../app/movies/list-sources.ts'
import type { SummaryView } from './movie-schemas.ts'
import { presentOwn, presentSummaryAs } from './movie-presenter.ts'
import { imageUrl, seconds } from '../server/values-presenter.ts'
import type { ImageId } from '../../vocabulary/id.ts'

export const summaryTextAs =
  (view: SummaryView = 'full') =>
  (found: MovieForUser): string => {
    const { cardText } = found.movie
    const text = cardText === undefined ? undefined : textOf(cardText, view)
    return text === undefined ? JSON.stringify(presentSummaryAs(view)(found)) : `${text},${ownTextOf(found)}}`
  }

/**
 * Without the caller's own state and the last brace. Undefined: the card has other members, or in another order. All quotes in a text are
 * escaped, so a comma and a quote can only be the beginning of a member.
 */
function textOf(card: string, view: SummaryView): string | undefined {
  const genres = card.indexOf(',"genres":[')
  const contentRating = card.indexOf(',"contentRating":', genres)
  const rating = card.indexOf(',"rating":', contentRating)
  const durationMs = card.indexOf(',"durationMs":', rating)
  const resolution = card.indexOf(',"resolution":', durationMs)
  const poster = card.indexOf(',"poster":', resolution)
  const addedAt = card.indexOf(',"addedAt":', poster)
  if (genres < 0 || contentRating < 0 || rating < 0 || durationMs < 0 || resolution < 0 || poster < 0 || addedAt < 0) return undefined
  const head = view === 'full' ? card.slice(0, genres) + card.slice(contentRating, rating) : withoutTexts(card.slice(0, genres))
  if (head === undefined) return undefined
  const shown = imagesOf(card.slice(poster, addedAt))
  if (!shown) return undefined
  const facts = card.slice(rating, durationMs) + card.slice(resolution, poster) + card.slice(addedAt, -1)
  const others = `,"duration":${duration(card.slice(durationMs + DURATION.length, resolution))}${card.slice(genres, contentRating)}`
  return `${head}${facts}${others},"images":${shown.images},"availability":"${shown.isAvailable ? 'available' : 'missing'}"`
}

const DURATION = ',"durationMs":'

/** The members before the genres, as cards show them. */
function withoutTexts(head: string): string | undefined {
  const originalTitle = head.indexOf(',"originalTitle":')
  const sortTitle = head.indexOf(',"sortTitle":', originalTitle)
  const overview = head.indexOf(',"overview":', sortTitle)
  if (originalTitle < 0 || sortTitle < 0 || overview < 0) return undefined
  return `${head.slice(0, originalTitle)},"originalTitle":null${head.slice(sortTitle, overview)},"overview":null,"contentRating":null`
}

const IMAGE = String.raw`(null|"[^"\\]*")`
const IMAGES = new RegExp(
  `^,"poster":${IMAGE},"backdrop":${IMAGE},"logo":${IMAGE},"posterTint":${IMAGE},"backdropTint":${IMAGE},"available":(true|false)$`,
)

/** Undefined: other members. Ids and tints are texts without quotes. */
function imagesOf(members: string): { readonly images: string; readonly isAvailable: boolean } | undefined {
  const [whole, poster = '', backdrop = '', logo = '', posterTint, backdropTint, available] = IMAGES.exec(members) ?? []
  if (whole === undefined) return undefined
  const urls = `"poster":${urlOf(poster)},"backdrop":${urlOf(backdrop)},"logo":${urlOf(logo)}`
  return { images: `{${urls},"posterTint":${posterTint},"backdropTint":${backdropTint}}`, isAvailable: available === 'true' }
}

/** JSON of an image's URL, from that of its id. */
const urlOf = (id: string): string => (id === 'null' ? id : `"${imageUrl(id.slice(1, -1) as ImageId)}"`)

const duration = (ms: string): string => (ms === 'null' ? ms : String(seconds(Number(ms))))

/** Members of the caller's own state, without braces. */
const ownTextOf = ({ own }: MovieForUser): string => (own ? membersOf(own) : NO_STATE)
const membersOf = (own: MovieForUser['own']): string => JSON.stringify(presentOwn(own)).slice(1, -1)
const NO_STATE = membersOf(null)

/** JSON of a page. */
export function pageText({ items, nextCursor, total }: PageOfTexts): string {
  return `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}${total === undefined ? '' : `,"total":${total}`}}`
}

export interface PageOfTexts {
  readonly items: readonly string[]
  readonly nextCursor: string | null
  readonly total?: number
}
