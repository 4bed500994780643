import t from 'tap'
import { openWaitingServer } from '../../src/process/waiting-server.ts'

t.test('a server that waits is alive, says what it waits for, and gives its port back', async (t) => {
  const waiting = await openWaitingServer({ host: '127.0.0.1', port: 0 })
  t.teardown(() => waiting.close())
  const url = `http://127.0.0.1:${waiting.port}`
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  waiting.waitFor('No answer from NATS (MARQUEE_BUS)')
  for (const path of ['/readyz', '/v1/movies']) {
    const answer = await fetch(`${url}${path}`)
    t.equal(answer.status, 503)
    t.equal(answer.headers.get('retry-after'), '2')
    t.strictSame(await answer.json(), { error: 'No answer from NATS (MARQUEE_BUS)' })
  }
  await t.rejects(openWaitingServer({ host: '127.0.0.1', port: waiting.port }), { code: 'EADDRINUSE' })
  await waiting.close()
  await waiting.close()
  const next = await openWaitingServer({ host: '127.0.0.1', port: waiting.port })
  await next.close()
})
