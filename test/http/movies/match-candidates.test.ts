import t from 'tap'
import { ANN_TOKEN, movie } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const URL = `/v1/movies/${movie.id}/match/candidates`
const POSTER = '/v1/admin/match-posters/abc-1_2.jpg'

t.test('candidates come with posters of this server, and say what was searched for', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', URL)
  t.equal(answer.status, 200)
  t.strictSame(answer.json(), {
    q: 'A Film',
    year: 2019,
    items: [
      { tmdbId: '593', title: 'A Film', originalTitle: null, year: 2019, overview: null, poster: POSTER, current: true },
      { tmdbId: '2103', title: 'Another', originalTitle: 'Un autre', year: null, overview: 'A text.', poster: null, current: false },
    ],
  })
  t.match((await server.ask('GET', `${URL}?q=%20Solaris%20&year=1972`)).json(), { q: 'Solaris', year: 1972 })
})

t.test('a search without words, or in a year without films, is refused', async (t) => {
  const server = await startServer(t)
  for (const query of ['q=', 'q=%20', `q=${'a'.repeat(201)}`, 'year=1', 'year=soon', 'year=']) {
    t.equal((await server.ask('GET', `${URL}?${query}`)).status, 422, query)
  }
})

t.test('a poster is an image that browsers keep for a while', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', POSTER)
  t.match([answer.status, answer.headers['content-type'], answer.headers['cache-control']], [200, 'image/jpeg', 'private, max-age=600'])
  t.equal(answer.text, 'image /abc-1_2.jpg')
})

t.test('only names of images are asked for', async (t) => {
  const server = await startServer(t)
  const asked: string[] = []
  server.services.candidatePosters.get = async (name) => {
    asked.push(name)
    return Buffer.from('')
  }
  const names = ['abc.svg', 'abc', '.jpg', '..%2fabc.jpg', 'a%2Fb.jpg', 'abc.jpg%3Fx=y', 'abc.jpg%00', `${'a'.repeat(101)}.jpg`]
  const urls = ['http:%2f%2f127.0.0.1%2fabc.jpg', '%2f%2fexample.org%2fabc.jpg', 'abc@example.org.jpg', '%61bc%252e.jpg']
  for (const name of [...names, ...urls]) t.equal((await server.ask('GET', `/v1/admin/match-posters/${name}`)).status, 404, name)
  t.strictSame(asked, [])
})

t.test('both are for administrators', async (t) => {
  const server = await startServer(t)
  const headers = { authorization: `Bearer ${ANN_TOKEN}` }
  for (const url of [URL, POSTER]) {
    t.equal((await server.anon('GET', url)).status, 401)
    t.equal((await server.anon('GET', url, { headers })).status, 403)
  }
})
