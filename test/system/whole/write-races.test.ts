/** Two writers depend on the same state of an object: one of them is told that it has changed. */
import { signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'

const RACES = 10

inEachTopology('of writers who send the same If-Match at once, exactly one gets through', { timeout: 120_000 }, async (t, installation) => {
  const server = await installation.start()
  const api = await signIn(server.url)
  const { json } = await api.send('POST', '/v1/libraries', { name: 'Films', paths: ['/media/nowhere'] })
  const url = `${server.url}/v1/libraries/${String(json['id'])}`
  const authorization = `Bearer ${api.token}`
  const signal = AbortSignal.timeout(100_000)
  for (let race = 0; race < RACES; race++) {
    const etag = (await fetch(url, { headers: { authorization }, signal })).headers.get('etag') ?? ''
    t.match(etag, /^"[^"]+"$/)
    const rename = async (writer: number) => {
      const headers = { authorization, 'content-type': 'application/json', 'if-match': etag }
      const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ name: `Films ${race}.${writer}` }), signal })
      return { status: answer.status, name: String(Reflect.get(Object(await answer.json()), 'name')) }
    }
    const answers = await Promise.all([1, 2, 3].map(rename))
    t.strictSame(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 412, 412],
    )
    const winner = answers.find(({ status }) => status === 200)
    const now = await (await fetch(url, { headers: { authorization }, signal })).json()
    t.match(now, { name: winner?.name })
  }
})
