/**
 * A fake of a MongoDB replica set with one member, insecure, for the real driver. `node main.ts --port N`.
 *
 * Features: the commands, operators and index rules that this project's adapters use (it rejects all others); retryable writes,
 * transactions with write conflicts and error labels, write concern; `configureFailPoint` for `failCommand`, also after the command
 * (`afterCommand`, `noAnswer`, `steer`). `{standIn: 'isolate' | 'rejoin' | 'stepDown'}` simulates a primary that is cut off from its set,
 * whose writes are rolled back, and a set without a primary.
 *
 * Limits: no second member, no TLS, no users, no files: its data ends with its process. Indexes are only names for hints; every query scans
 * all documents, and there are no plans. A transaction reads the newest state, not a snapshot. A write outside of transactions aborts
 * conflicting transactions, where mongod makes it wait. A write without a majority gets its error at once instead of after `wtimeout`.
 * It does not push a change of its role to the driver, which asks once per heartbeat.
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
