import t from 'tap'
import type { MovieForUser } from '../../../src/app/movies/list-sources.ts'
import { presentSummaryAs } from '../../../src/http/movies/movie-presenter.ts'
import { summaryTextAs } from '../../../src/http/movies/movie-text.ts'
import type { MovieCard } from '../../../projections/views/movie-document.ts'
import { movie, watching } from '../../fixtures/samples.ts'

const VIEWS = ['full', 'card'] as const
/** Texts that look like JSON. */
const TEXTS = [
  '',
  'Plain',
  ',"overview":null',
  '"',
  '\\',
  '\\"',
  ',\\"genres\\":["x"],"rating":1',
  '{"available":true}',
  '\u2028 é 日本 \u{1F3AC} \0',
]

const listedWith = (card: MovieCard, text = JSON.stringify(card)): MovieForUser['movie'] => ({ id: card.id, card, cardText: text })

function* cards(): Iterable<MovieCard> {
  for (const text of TEXTS) {
    for (const other of [text, null]) {
      const texts = { title: text, originalTitle: other, sortTitle: text, overview: other, contentRating: other, hdr: other }
      const id = movie.card.poster
      yield { ...movie.card, ...texts, genres: [text, 'Drama'], poster: id, backdrop: null, logo: other === null ? null : id }
      yield {
        ...movie.card,
        ...texts,
        genres: [],
        rating: null,
        year: null,
        durationMs: other === null ? null : 5_412_345.6,
        available: false,
      }
    }
  }
}

t.test('a summary from the JSON of a card is the JSON of the summary, whatever its texts contain', async (t) => {
  for (const view of VIEWS) {
    for (const card of cards()) {
      for (const own of [null, watching]) {
        t.equal(summaryTextAs(view)({ movie: listedWith(card), own }), JSON.stringify(presentSummaryAs(view)({ movie: { card }, own })))
      }
    }
  }
})

t.test('the card that the view makes is read as JSON, not parsed', async (t) => {
  const { card } = movie
  const unread = {
    id: movie.id,
    cardText: JSON.stringify(card),
    get card(): MovieCard {
      throw new Error('It was parsed')
    },
  }
  t.equal(summaryTextAs('full')({ movie: unread, own: null }), JSON.stringify(presentSummaryAs('full')({ movie: { card }, own: null })))
})

t.test('a card with its members in another order is parsed', async (t) => {
  const { card } = movie
  const turned = JSON.stringify(Object.fromEntries(Object.entries(card).toReversed()))
  for (const view of VIEWS) {
    t.equal(
      summaryTextAs(view)({ movie: listedWith(card, turned), own: null }),
      JSON.stringify(presentSummaryAs(view)({ movie: { card }, own: null })),
    )
  }
})
