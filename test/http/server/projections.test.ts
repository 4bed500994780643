import t from 'tap'
import { startServer } from '../http-server.ts'

t.test('administrators see how far the projections are', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', '/v1/admin/projections')
  t.equal(answer.status, 200)
  t.strictSame(answer.json(), { items: [{ name: 'movies', version: 3, seq: '0', lag: 0.012, state: 'live' }], nextCursor: null })
})
