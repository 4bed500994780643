import t from 'tap'
import { createPrometheusMetrics } from '../../../src/adapters/prometheus/metrics.ts'
import { startServer } from '../http-server.ts'

t.test('requests are counted by the pattern of their route, and nothing that a caller sends is in the metrics', async (t) => {
  const metrics = createPrometheusMetrics('1.2.3')
  const server = await startServer(t, { meters: metrics.meters })
  const url = await server.listen()
  const secrets = ['a-secret-id', 'a-secret-path', 'a-secret-token', 'a-secret-query', 'a-secret-agent']
  const asked = ['/v1/movies/a-secret-id', '/a-secret-path/x', '/v1/movies?search=a-secret-query', '/healthz']
  const headers = { authorization: 'Bearer a-secret-token', 'user-agent': 'a-secret-agent' }
  for (const path of asked) await (await fetch(`${url}${path}`, { headers })).text()
  await (await fetch(`${url}/v1/movies`, { method: 'POST', headers })).text()
  const { body } = await metrics.text()
  for (const secret of secrets) t.notMatch(body, secret)
  t.match(body, /_count\{method="GET",route="\/healthz",status="200"\} 1/)
  t.match(body, /_count\{method="GET",route="\/v1\/movies\/:\w+",status="401"\} 1/)
  t.match(body, /_count\{method="GET",route="unknown",status="\d+"\} 1/)
})
