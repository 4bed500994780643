import t from 'tap'
import type { MovieForUser } from '../../../src/app/movies/list-sources.ts'
import { idOf, movie, movieForUser, playable, watching, watchingFrom } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const WORDS = { overview: 'Long ago.', originalTitle: 'Ein Film', contentRating: 'PG-13' }
const NONE = { overview: null, originalTitle: null, contentRating: null }

/** Every list that contains movie summaries, with its summary. */
const LISTS: Readonly<Record<string, (body: never) => unknown>> = {
  '/v1/movies': ({ items }: { items: readonly unknown[] }) => items[0],
  '/v1/movies/recently-added': ({ items }: { items: readonly unknown[] }) => items[0],
  '/v1/playback/continue-watching': ({ items }: { items: readonly { movie: unknown }[] }) => items[0]?.movie,
  '/v1/playback/sessions/active': ({ items }: { items: readonly { movie: unknown }[] }) => items[0]?.movie,
  [`/v1/collections/${idOf('set')}`]: ({ movies }: { movies: readonly unknown[] }) => movies[0],
  [`/v1/people/${idOf('person')}`]: ({ movies }: { movies: readonly { summary: unknown }[] }) => movies[0]?.summary,
}

t.test('with view=card a list leaves out what cards do not show, and nothing else', async (t) => {
  const described: MovieForUser & typeof movieForUser = { ...movieForUser, movie: { ...movie, card: { ...movie.card, ...WORDS } } }
  const one = async () => ({ items: [described], next: null })
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movies: { ...services.movies, list: one },
      catalogue: {
        ...services.catalogue,
        collection: async () => ({ id: idOf<'collection'>('set'), name: 'Set', movies: [described] }),
        person: async () => ({ id: idOf<'person'>('person'), name: 'Ann', image: null, movies: [{ movie: described, roles: [] }] }),
      },
      playback: {
        ...services.playback,
        active: async () => ({
          items: [{ ...playable, user: { id: idOf<'user'>('admin'), name: 'Admin' }, device: null, movie: described }],
          next: null,
        }),
        continueWatching: async () => ({ items: [{ ...described, own: watching, point: watchingFrom, device: null }], next: null }),
      },
    }),
  })
  for (const [url, summaryOf] of Object.entries(LISTS)) {
    const shown = async (query: string) => {
      const answer = await server.ask('GET', url + query)
      t.equal(answer.status, 200, url + query)
      return summaryOf(answer.json<never>()) as object
    }
    const full = await shown('')
    t.match(full, WORDS, url)
    t.strictSame(await shown('?view=full'), full)
    t.strictSame(await shown('?view=card'), { ...full, ...NONE }, url)
    t.match(await server.ask('GET', `${url}?view=poster`), { status: 422, text: /"path":"view"/ })
  }
})

t.test('a cursor of full pages goes on with cards', async (t) => {
  const server = await startServer(t)
  const { nextCursor } = (await server.ask('GET', '/v1/movies?limit=2')).json<{ nextCursor: string }>()
  t.match((await server.ask('GET', `/v1/movies?limit=2&view=card&cursor=${nextCursor}`)).json(), { items: [{ title: 'Film 2' }] })
})

t.test('with view=card collections show a poster and how many films of them the caller has watched', async (t) => {
  const set = { id: idOf<'collection'>('set'), name: 'Set', movieCount: 3 }
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      catalogue: {
        ...services.catalogue,
        collections: async () => ({ items: [set], next: null }),
        collectionCards: async (_caller, ids) =>
          ids.map(() => ({ poster: idOf<'image'>('poster'), posterTint: '#102030', watchedCount: 2 })),
      },
    }),
  })
  const items = async (query: string) => (await server.ask('GET', `/v1/collections${query}`)).json<{ items: unknown }>().items
  t.strictSame(await items(''), [{ ...set, watchedCount: null, images: { poster: null, posterTint: null } }])
  const images = { poster: `/api/images/${idOf<'image'>('poster')}`, posterTint: '#102030' }
  t.strictSame(await items('?view=card'), [{ ...set, watchedCount: 2, images }])
  t.match(await server.ask('GET', '/v1/collections?view=full'), { status: 422 })
})
