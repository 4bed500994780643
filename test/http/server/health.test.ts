import t from 'tap'
import { startServer } from '../http-server.ts'

t.test('the server is alive; it is ready when it reports so', async (t) => {
  let ready = false
  const server = await startServer(t, { ready: () => (ready ? { ready: true } : { ready: false, reason: 'The views are catching up' }) })
  t.match(await server.anon('GET', '/healthz'), { status: 200, text: '{"status":"ok"}' })
  t.match(await server.anon('GET', '/readyz'), {
    status: 503,
    text: '{"error":"The views are catching up"}',
    headers: { 'retry-after': '2' },
  })
  ready = true
  t.match(await server.anon('GET', '/readyz'), { status: 200, text: '{"status":"ready"}' })
})
