/** Paths that no browser would send: no request line causes a 500. */
import t from 'tap'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { ADMIN_TOKEN, idOf } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
t.teardown(() => agent.destroy())

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sent as it is: both `fetch` and `inject` would normalize the path. */
async function send(base: string, { method, path, headers = {}, body = '' }: Sent): Promise<number> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-length': String(Buffer.byteLength(body)), ...headers }
    const asked = request({ hostname, port, method, path, headers: all, agent }, (answer) => {
      // An event stream never ends, and a speed test's bytes are not needed.
      if (/event-stream|octet-stream/.test(String(answer.headers['content-type']))) answer.destroy()
      answer.resume()
      answer.once('close', () => resolve(answer.statusCode ?? 0))
    })
    asked.once('error', reject).end(body)
  })
}

/** Names and pieces of paths that other servers have misinterpreted. */
const PIECES = [
  '..',
  '../../package.json',
  '..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/package.json',
  '..%5c..%5cpackage.json',
  '..%5c',
  '..\\..\\package.json',
  '%00',
  'a%00.js',
  '%0d%0aSet-Cookie:a=b',
  '%ff%fe',
  '%c0%ae%c0%ae/',
  '%',
  '%zz',
  '%25%30%30',
  '%u002e',
  '.',
  './',
  '//',
  '//etc/passwd',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'C:%5cwindows',
  '~root',
  '*',
  ':id',
  '{id}',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(5_000),
  '%61'.repeat(1_000),
  '%F0%9F%8E%AC',
  'a;b=c',
  '?',
  '?a[b]=c&a=d&__proto__=e',
  '?=&&=&%=%',
  '?token=%00&limit=%ff',
  '#fragment',
]

/** For each route, each position of a name, and suffixes. */
function hostilePaths(route: string): readonly string[] {
  const filled = route.replaceAll(/\{\w+\}/g, idOf('movie')).replaceAll('*', 'index.html')
  const parameters = [...route.matchAll(/\{\w+\}|\*/g)].map(({ index, 0: name }) => [index, name.length] as const)
  const around = (from: number, length: number, piece: string): string =>
    `${route.slice(0, from)}${piece}${route.slice(from + length)}`.replaceAll(/\{\w+\}/g, idOf('movie')).replaceAll('*', 'index.html')
  return PIECES.flatMap((piece) => [
    `${filled}/${piece}`,
    `${filled}${piece}`,
    ...parameters.map(([at, length]) => around(at, length, piece)),
  ])
}

const isFault = (status: number): boolean => status >= 500 && status !== 503

t.test('no path of any route answers 500, however it is spelled', { timeout: 120_000 }, async (t) => {
  const server = await startServer(t)
  const base = await server.listen()
  const documentation = [
    'GET /docs',
    'GET /docs/static/*',
    'GET /docs/static/swagger-initializer.js',
    'GET /docs/json',
    'GET /docs/yaml',
    'GET /',
  ]
  const faults: string[] = []
  let [sent, turn] = [0, 0]
  for (const route of new Set([...server.routes(), ...documentation])) {
    const [method = '', url = ''] = route.split(' ')
    const all = [...new Set(hostilePaths(url))].filter((path) => !/[^\u0021-\u00ff]/.test(path))
    // Every third one, another third for each route: all routes share the router, but not the documentation's files.
    const paths = url.startsWith('/docs') ? all : all.filter((_, at) => at % 3 === turn % 3)
    turn++
    const answers = await Promise.all(paths.map(async (path) => ({ path, status: await send(base, { method, path }) })))
    sent += answers.length
    faults.push(...answers.filter(({ status }) => isFault(status)).map(({ path, status }) => `${method} ${path.slice(0, 100)} ${status}`))
  }
  t.strictSame(faults, [])
  t.ok(sent > 2_000, `${sent} requests`)
})

t.test('what lies outside of the documentation is not there', async (t) => {
  const base = await (await startServer(t)).listen()
  for (const rest of [
    '/../../package.json',
    '/..%5c',
    '/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/%00',
    '/a%00.js',
    '/..%2f..%2fpackage.json',
  ]) {
    const status = await send(base, { method: 'GET', path: `/docs/static${rest}` })
    t.ok(status === 404 || status === 400, `${rest}: ${status}`)
  }
})

t.test('a request line of bytes that are no path is answered by 400, or by nothing but a closed connection', async (t) => {
  const server = await startServer(t)
  const { hostname, port } = new URL(await server.listen())
  for (const line of [
    'GET /\0 HTTP/1.1',
    'GET /docs/static/\u0001 HTTP/1.1',
    'GET \\ HTTP/1.1',
    'GET /\u00ff\u00fe HTTP/1.1',
    'GET http://[ HTTP/1.1',
  ]) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'))
      let text = ''
      socket.setEncoding('latin1').on('data', (part: string) => (text += part))
      socket.once('error', () => resolve(text)).once('close', () => resolve(text))
    })
    t.notMatch(answer, /^HTTP\/1\.1 5/, JSON.stringify(line))
  }
})
