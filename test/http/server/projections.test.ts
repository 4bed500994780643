import t from 'tap'
import { startServer } from '../http-server.ts'

t.test('administrators see how far the projections are', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', '/v1/admin/projections')
  t.equal(answer.status, 200)
  t.strictSame(answer.json(), {
    items: [{ name: 'movies', version: 3, seq: '0', lag: 0.012, state: 'live', checksum: null, rebuild: null }],
    nextCursor: null,
  })
})

t.test('administrators start a rebuild, and see how far it is', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('POST', '/v1/admin/projections/movies/rebuild')
  t.equal(answer.status, 202)
  t.match(answer.json(), { name: 'movies', state: 'live', rebuild: { seq: '0', progress: 0 } })
  t.equal((await server.ask('POST', '/v1/admin/projections/nothing/rebuild')).status, 404)
})
