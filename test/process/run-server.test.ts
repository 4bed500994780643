import t from 'tap'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reachServer } from '../../src/command-socket/remote-commands.ts'
import { socketPlace } from '../../src/command-socket/socket-place.ts'

const program = join(import.meta.dirname, 'stand-in-server.ts')

/** A data folder with a short path, so that a killed server leaves nothing outside it. */
function dataFolder(t: { teardown(end: () => unknown): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  return path
}

interface Start {
  readonly behaviour?: 'well' | 'breaks' | 'crashes' | 'hangs'
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a server; `until` waits for its output, `end` for its exit code. */
function start(dataDir: string, { behaviour = 'well', env = {} }: Start = {}) {
  const all = { PATH: process.env['PATH'], MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0', MARQUEE_DATA_DIR: dataDir, ...env }
  const child = spawn(process.execPath, [program, behaviour], { env: all, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part
      for (const { pattern, resolve } of waiting) if (pattern.test(output)) resolve()
    })
  }
  const end = new Promise<number | null>((resolve) => child.on('close', resolve))
  const until = (pattern: RegExp) => new Promise<void>((resolve) => waiting.push({ pattern, resolve }))
  return { child, end, until, output: () => output }
}

t.test('a server says where it is, answers the command line, and stops at SIGTERM with exit code 0', async (t) => {
  const dataDir = dataFolder(t)
  const server = start(dataDir)
  await server.until(/folders are scanned/)
  t.match(server.output(), /Go to: {2}http:\/\/127\.0\.0\.1:[1-9]\d+\n/)
  t.match(server.output(), 'password  k7FqW2mZ9xRt')
  t.match(server.output(), 'folders /media/films as Films')
  t.match(server.output(), /Ctrl-C stops the server\.\n\nfolders are scanned\n/)
  const commands = await reachServer(socketPlace(dataDir))
  t.match(await commands.listUsers(), [{ email: 'ann@example.org' }])
  server.child.kill('SIGTERM')
  t.equal(await server.end, 0)
  t.match(server.output(), /Stopping\.\nclosed\n$/)
  t.notOk(existsSync(socketPlace(dataDir).path))
})

t.test('a second server on the folder stops with one line, and one after a SIGKILL starts', async (t) => {
  const dataDir = dataFolder(t)
  const first = start(dataDir)
  await first.until(/Ctrl-C stops/)
  const second = start(dataDir)
  t.equal(await second.end, 1)
  t.match(second.output(), /^The data folder .* is in use by another Marquee process\.[^\n]*\n$/)
  first.child.kill('SIGKILL')
  await first.end
  const third = start(dataDir)
  await third.until(/Ctrl-C stops/)
  t.ok(await reachServer(socketPlace(dataDir)), 'a socket left behind is no obstacle')
  third.child.kill('SIGINT')
  t.equal(await third.end, 0)
})

t.test('the same signal twice at once, as npm passes it on, is one signal', async (t) => {
  const server = start(dataFolder(t))
  await server.until(/Ctrl-C stops/)
  server.child.kill('SIGTERM')
  server.child.kill('SIGTERM')
  t.equal(await server.end, 0)
})

t.test('a stop that hangs is ended by a second signal', async (t) => {
  const server = start(dataFolder(t), { behaviour: 'hangs' })
  await server.until(/Ctrl-C stops/)
  server.child.kill('SIGINT')
  await server.until(/Stopping/)
  await setTimeout(700)
  server.child.kill('SIGINT')
  t.equal(await server.end, 130)
})

t.test('a server whose terminal is closed stops in order, however often it is told so', async (t) => {
  const server = start(dataFolder(t))
  await server.until(/Ctrl-C stops/)
  server.child.kill('SIGHUP')
  t.equal(await server.end, 0)
  t.match(server.output(), /Stopping\.\nclosed\n$/)
  const slow = start(dataFolder(t), { behaviour: 'hangs' })
  await slow.until(/Ctrl-C stops/)
  slow.child.kill('SIGHUP')
  await slow.until(/Stopping/)
  await setTimeout(700)
  slow.child.kill('SIGHUP')
  await setTimeout(300)
  t.equal(slow.child.exitCode, null, 'a second hang-up does not force the stop')
  slow.child.kill('SIGTERM')
  t.equal(await slow.end, 130)
})

t.test('a port that is taken is answered in one line', async (t) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const server = start(dataFolder(t), { env: { MARQUEE_PORT: String(port) } })
  t.equal(await server.end, 1)
  t.match(server.output(), new RegExp(`^Port ${port} is taken by another program\\.[^\\n]*MARQUEE_PORT[^\\n]*\\nclosed\\n$`))
  other.close()
})

t.test('a start that fails for another reason says why in one line, and gives the folder back', async (t) => {
  const dataDir = dataFolder(t)
  const server = start(dataDir, { behaviour: 'breaks' })
  t.equal(await server.end, 1)
  t.match(server.output(), /^The server could not start: the log is damaged \(.*stand-in-server\.ts:\d+:\d+\)\n/)
  const next = start(dataDir)
  await next.until(/Ctrl-C stops/)
  next.child.kill('SIGTERM')
  t.equal(await next.end, 0)
})

t.test('an error that nobody caught ends the server with one line and exit code 1', async (t) => {
  const server = start(dataFolder(t), { behaviour: 'crashes' })
  t.equal(await server.end, 1)
  t.match(server.output(), /stopping after an unexpected error: nobody caught this[^\n]*\n$/)
})
