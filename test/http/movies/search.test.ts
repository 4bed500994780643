import t from 'tap'
import { idOf } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

interface Results {
  readonly movies: readonly { readonly title: string; readonly overview: string | null }[]
  readonly people: readonly unknown[]
  readonly collections: readonly unknown[]
}

t.test('movies, people and collections come as cards, in one answer', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', '/v1/search?q=solaris&limit=2')
  t.equal(answer.status, 200)
  const { movies, people, collections } = answer.json<Results>()
  t.match(movies, [
    { title: 'solaris 0', overview: null, watched: false },
    { title: 'solaris 1', overview: null },
  ])
  t.equal(movies.length, 2)
  t.strictSame(people, [{ id: idOf('person'), name: 'Ann', image: `/api/images/${idOf('poster')}` }])
  t.strictSame(collections, [{ id: idOf('set'), name: 'Set', movieCount: 2, watchedCount: 1, images: { poster: null, posterTint: null } }])
  t.match(answer.headers['etag'], /^W\//)
})

t.test('a text is needed, of at most 200 characters, and a limit of at most 50', async (t) => {
  const server = await startServer(t)
  for (const query of ['', '?q=', `?q=${'a'.repeat(201)}`, '?q=a&limit=0', '?q=a&limit=51', '?q=a&limit=many'])
    t.equal((await server.ask('GET', `/v1/search${query}`)).status, 422, query)
  t.equal((await server.anon('GET', '/v1/search?q=a')).status, 401)
})
