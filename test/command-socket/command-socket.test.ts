import t from 'tap'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { callServer } from '../../src/command-socket/call.ts'
import type { ListenOptions } from '../../src/command-socket/listen.ts'
import { listenForCommands } from '../../src/command-socket/listen.ts'
import type { SocketPlace } from '../../src/command-socket/socket-place.ts'
import { socketPlace } from '../../src/command-socket/socket-place.ts'

const clock = createSystemClock()

async function listen(t: { teardown(end: () => unknown): void }, place: SocketPlace, handle: ListenOptions['handle']) {
  const listener = await listenForCommands({ place, handle, clock })
  t.teardown(() => listener.close())
  return listener
}

/** A data folder with a short path, like most. */
function dataFolder(t: { teardown(end: () => unknown): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  return path
}

const ask = (place: SocketPlace, command: string, input: unknown = {}) => callServer(place, { command, input })

/** Sends raw text and returns everything received until the server closes. */
async function send(place: SocketPlace, text: string): Promise<string> {
  const socket = createConnection(place.path)
  socket.write(text)
  let answer = ''
  socket.on('data', (part) => (answer += part))
  await once(socket, 'close')
  return answer
}

t.test('a request is answered with steps and a result', async (t) => {
  const place = socketPlace(dataFolder(t))
  await listen(t, place, async ({ command, input }, { step }) => {
    step({ done: 1 })
    step({ done: 2 })
    return { command, input }
  })
  const steps: unknown[] = []
  const result = await callServer(place, { command: 'scan', input: { name: 'Films\n\u2028' } }, { step: (step) => steps.push(step) })
  t.strictSame(result, { command: 'scan', input: { name: 'Films\n\u2028' } })
  t.strictSame(steps, [{ done: 1 }, { done: 2 }])
  t.equal(statSync(place.path).mode & 0o777, 0o600, 'only the owner may connect')
})

t.test('many requests are answered side by side, large ones whole', async (t) => {
  const place = socketPlace(dataFolder(t))
  await listen(t, place, async ({ input }) => ({ input, text: 'x'.repeat(1_000_000) }))
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(place, 'list', n)))
  t.match(
    results,
    Array.from({ length: 10 }, (_, input) => ({ input, text: /^x{1000000}$/ })),
  )
})

t.test('nothing as an answer arrives as null', async (t) => {
  const place = socketPlace(dataFolder(t))
  await listen(t, place, async () => undefined)
  t.equal(await ask(place, 'hello'), null)
})

t.test('what the server throws reaches the caller as a message', async (t) => {
  const place = socketPlace(dataFolder(t))
  await listen(t, place, async () => Promise.reject(new Error('The disk is full')))
  await t.rejects(ask(place, 'scan'), { code: 'call-failed', message: 'The disk is full' })
})

t.test('the caller gets an error if nobody listens, also when a killed server left its socket', async (t) => {
  const place = socketPlace(dataFolder(t))
  await t.rejects(ask(place, 'hello'), { code: 'nobody-listens' })
  writeFileSync(place.path, '')
  await t.rejects(ask(place, 'hello'), { code: 'nobody-listens' })
  await listen(t, place, async () => 'here')
  t.equal(await ask(place, 'hello'), 'here', 'the next server takes its place')
})

t.test('an aborted caller notifies the server', async (t) => {
  const place = socketPlace(dataFolder(t))
  const [began, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await listen(t, place, async (_, { signal }) => {
    signal.addEventListener('abort', () => gone.resolve())
    began.resolve()
    await gone.promise
  })
  const controller = new AbortController()
  const call = callServer(place, { command: 'scan', input: {} }, { signal: controller.signal })
  void began.promise.then(() => controller.abort())
  await t.rejects(call, { name: 'AbortError' })
  await gone.promise
  t.pass('the server saw it')
})

t.test('a stopping server dismisses its callers and takes the socket away', async (t) => {
  const place = socketPlace(dataFolder(t))
  const began = Promise.withResolvers<void>()
  const listener = await listenForCommands({
    place,
    clock,
    handle: (_, { signal }) => {
      began.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const call = ask(place, 'scan')
  call.catch(() => {})
  await began.promise
  await listener.close()
  await t.rejects(call, { code: 'call-failed', message: 'The server is stopping' })
  t.notOk(existsSync(place.path))
})

t.test('a server that falls silent is given up', async (t) => {
  const place = socketPlace(dataFolder(t))
  const end = Promise.withResolvers<void>()
  await listen(t, place, () => end.promise)
  await t.rejects(callServer(place, { command: 'x', input: {} }, { silenceMs: 50 }), {
    code: 'call-failed',
    message: 'The server does not answer',
  })
  end.resolve()
})

t.test('what is no request is refused, and nothing runs', async (t) => {
  const place = socketPlace(dataFolder(t))
  let ran = 0
  await listen(t, place, async () => ran++)
  t.equal(await send(place, 'GET / HTTP/1.1\n'), '', 'closed without a word')
  t.match(await send(place, '{"command":7,"input":{}}\n'), /That is no request/)
  t.match(await send(place, '[]\n'), /That is no request/)
  t.equal(await send(place, `"${'x'.repeat(70_000)}`), '', 'more than a request may hold')
  t.equal(ran, 0)
})

t.test('a path that is too long for a Unix socket moves to a temporary folder of the owner', async (t) => {
  const data = join(dataFolder(t), 'd'.repeat(120))
  mkdirSync(data)
  const place = socketPlace(data)
  t.ok(place.path.startsWith(join(tmpdir(), 'marquee-')))
  t.ok(Buffer.byteLength(place.path) <= 107)
  t.equal(socketPlace(data).path, place.path)
  t.not(socketPlace(`${data}e`).path, place.path)
  const listener = await listenForCommands({ place, clock, handle: async () => 'here' })
  t.equal(await ask(place, 'hello'), 'here')
  t.equal(statSync(join(place.path, '..')).mode & 0o777, 0o700)
  chmodSync(join(place.path, '..'), 0o777)
  await t.rejects(ask(place, 'hello'), { code: 'nobody-listens' }, 'a folder open to others is not trusted')
  await t.rejects(listenForCommands({ place, clock, handle: async () => 'here' }), /belongs to somebody else/)
  await listener.close()
  t.notOk(existsSync(join(place.path, '..')), 'and goes with the server')
})
