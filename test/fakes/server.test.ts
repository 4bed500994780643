import { createServer, type Server } from 'node:net'
import t from 'tap'
import { startTestServer } from './server.ts'

const LISTEN = `require('node:net').createServer().listen(process.argv[1], '127.0.0.1')`

t.test('a server whose port is taken before it starts gets another one', async (t) => {
  const ports: number[] = []
  let taker: Server | undefined
  const server = await startTestServer({
    name: 'A server',
    url: (port) => `127.0.0.1:${port}`,
    command: process.execPath,
    args({ port }) {
      ports.push(port)
      taker ??= createServer().listen(port, '127.0.0.1')
      return ['-e', LISTEN, String(port)]
    },
    answers: async () => ports.length > 1,
  })
  t.teardown(() => server.stop())
  t.teardown(() => taker?.close())
  t.equal(ports.length, 2)
  t.equal(server.url, `127.0.0.1:${ports[1]}`)
})
