/**
 * The server's end of the command socket: one request a connection, answered by any number of steps and then a result. Who can
 * open the socket owns the data folder, so nobody signs in here.
 */
import { chmodSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { jsonLine, jsonLines } from './lines.ts'
import type { SocketPlace } from './socket-place.ts'
import { clearSocketFolder, makeSocketFolder } from './socket-place.ts'

export interface CommandRequest {
  readonly command: string
  readonly input: unknown
}

export interface CommandContext {
  /** Aborted when the caller has gone or the server stops. */
  readonly signal: AbortSignal
  /** Tells the caller how far the command is; one that cannot keep up misses some. */
  readonly step: (value: unknown) => void
}

export interface CommandListener {
  close(): Promise<void>
}

export interface ListenOptions {
  readonly place: SocketPlace
  /** Answers plain data; what it throws reaches the caller as its message. */
  readonly handle: (request: CommandRequest, context: CommandContext) => Promise<unknown>
  readonly clock: Clock
}

const LONGEST_REQUEST_BYTES = 512 * 1024
const MOST_CONNECTIONS = 16
/** A caller sends its request at once. */
const REQUEST_DEADLINE_MS = 5000
/** A sign of life while a command works, so that its caller knows a slow server from a dead one. */
const ALIVE_EVERY_MS = 5000
const MOST_UNSENT_BYTES = 256 * 1024
/** How long callers may take to read the last line when the server stops. */
const FAREWELL_MS = 1000

interface Caller {
  /** Tells it why it gets no answer, and closes. */
  dismiss(reason: string): void
}

/** Listens; the caller of this function owns the data folder, so a socket that lies there already is nobody's. */
export async function listenForCommands({ place, handle, clock }: ListenOptions): Promise<CommandListener> {
  const callers = new Set<Caller>()
  const server = createServer((socket) => {
    const caller = receiveCaller(socket, { handle, clock })
    callers.add(caller)
    socket.on('close', () => callers.delete(caller))
  })
  server.maxConnections = MOST_CONNECTIONS
  await bind(server, place)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          clearSocketFolder(place)
          resolve()
        })
        for (const caller of callers) caller.dismiss('The server is stopping')
      }),
  }
}

async function bind(server: Server, place: SocketPlace): Promise<void> {
  makeSocketFolder(place)
  rmSync(place.path, { force: true })
  server.listen(place.path)
  await once(server, 'listening')
  chmodSync(place.path, 0o600)
}

type Answering = Pick<ListenOptions, 'handle' | 'clock'>

function receiveCaller(socket: Socket, answering: Answering): Caller {
  const gone = new AbortController()
  socket.on('close', () => gone.abort(new Error('The caller has gone')))
  socket.on('error', () => socket.destroy())
  void answer(socket, { ...answering, signal: gone.signal })
  return {
    dismiss(reason) {
      gone.abort(new Error(reason))
      finish(socket, { failure: reason })
      answering.clock.after(FAREWELL_MS, () => socket.destroy())
    },
  }
}

async function answer(socket: Socket, { handle, clock, signal }: Answering & { readonly signal: AbortSignal }): Promise<void> {
  const send = (value: object) => {
    if (socket.writable && socket.writableLength < MOST_UNSENT_BYTES) socket.write(jsonLine(value))
  }
  try {
    const request = await receive(socket)
    const stopSigns = clock.every(ALIVE_EVERY_MS, () => send({ alive: true }))
    const result = await handle(request, { signal, step: (step) => send({ step }) }).finally(stopSigns)
    finish(socket, { result: result ?? null })
  } catch (cause) {
    finish(socket, { failure: cause instanceof Error ? cause.message : String(cause) })
  }
}

function finish(socket: Socket, last: object): void {
  if (socket.writable) socket.end(jsonLine(last))
}

/** The one request of a connection. */
async function receive(socket: Socket): Promise<CommandRequest> {
  socket.setTimeout(REQUEST_DEADLINE_MS, () => socket.destroy())
  const lines = jsonLines(socket, LONGEST_REQUEST_BYTES)
  const { value } = await lines.next()
  socket.setTimeout(0)
  void ignoreRest(socket, lines)
  if (!isRequest(value)) throw new Error('That is no request')
  return value
}

/** Goes on reading, because only a socket that is read reports that its other end has gone. */
async function ignoreRest(socket: Socket, lines: AsyncIterator<unknown>): Promise<void> {
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next());
  } catch {
    socket.destroy()
  }
}

const isRequest = (value: unknown): value is CommandRequest =>
  typeof value === 'object' && value !== null && 'command' in value && typeof value.command === 'string' && 'input' in value
