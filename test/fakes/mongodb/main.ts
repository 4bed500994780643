/**
 * A stand-in for a replica set of MongoDB with one member, insecure, that the real driver talks to. `node main.ts --port N`.
 *
 * What it is: the commands, operators and index rules that this project's adapters use, and no others (it refuses what it does not
 * know); retryable writes, transactions with write conflicts and error labels, write concern; `configureFailPoint` for `failCommand`,
 * also after the command (`afterCommand`, `noAnswer`, `steer`); `{standIn: 'isolate' | 'rejoin' | 'stepDown'}` for a primary that its set cannot
 * reach, whose writes are taken back, and for a set without a primary.
 *
 * What it is not: no second member, no TLS, no users, no files: what it holds is gone with its process. Indexes are names to be
 * hinted at; every query looks at all documents, and there are no plans. A transaction reads the newest state, not a snapshot; a
 * write outside of transactions ends those that it meets, where mongod makes it wait. Writes that no majority confirms are told
 * so at once instead of after `wtimeout`. It does not push a change of its role to the driver, which asks once a heartbeat.
 */
import { createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { createCommands } from './commands.ts'
import { createMember } from './member.ts'
import { createStore } from './store.ts'
import { readRequest, takeMessages, writeReply } from './wire.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '27017' } } })
const port = Number(values.port)
const store = createStore()
const answerTo = createCommands(store, createMember(port, store))

function serve(socket: Socket): void {
  let bytes = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    const { messages, rest } = takeMessages(Buffer.concat([bytes, data]))
    bytes = Buffer.from(rest)
    for (const message of messages) answer(socket, message)
  })
}

function answer(socket: Socket, message: Buffer): void {
  const request = readRequest(message)
  const reply = answerTo(request.command, request.isLegacy)
  if (reply === 'cut') socket.destroy()
  else if (reply !== 'never' && !request.isOneWay && !socket.destroyed) socket.write(writeReply(request, reply))
}

createServer(serve).listen(port, '127.0.0.1', () => console.log(`Ready on port ${port}`))
