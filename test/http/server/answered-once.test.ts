import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify from 'fastify'
import t from 'tap'
import type { App } from '../../../src/http/server/app.ts'
import { noteAnswers, stopAnswered } from '../../../src/http/server/answered-once.ts'
import { addCompression } from '../../../src/http/server/compression.ts'

t.test('a request that a hook answers is not carried out when its client leaves before the answer is written', async (t) => {
  const app = fastify() as unknown as App
  t.teardown(() => app.close())
  noteAnswers(app)
  const sending = Promise.withResolvers<void>()
  let sent = 0
  app.addHook('preHandler', async (_request, reply) => reply.type('application/json').send(JSON.stringify('an answer '.repeat(500))))
  stopAnswered(app)
  app.addHook('onSend', async (_request, reply, payload) => {
    sent += 1
    sending.resolve()
    if (!reply.raw.destroyed) await once(reply.raw, 'close')
    return payload
  })
  addCompression(app)
  let carriedOut = 0
  app.post('/', async () => {
    carriedOut += 1
    return 'done '.repeat(1000)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const closed = new Promise<void>((settle) => app.server.once('connection', (socket) => socket.once('close', () => settle())))
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nContent-Length: 0\r\n\r\n')
  await sending.promise
  socket.destroy()
  await closed
  // Waits for more work than the compression of the response, and for its consequences.
  await promisify(gzip)(Buffer.alloc(2_000_000, 'an answer '))
  await setImmediate()
  t.equal(carriedOut, 0)
  t.equal(sent, 1)
})
