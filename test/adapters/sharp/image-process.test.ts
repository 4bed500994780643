import type { ChildProcess } from 'node:child_process'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createImageProcess } from '../../../src/adapters/sharp/image-process.ts'
import { BadImage } from '../../../src/ports/image-maker.ts'
import { jpeg } from '../../fixtures/images.ts'
import { until } from '../../fixtures/until.ts'

const WORKER = new URL('../../../src/adapters/sharp/image-worker.ts', import.meta.url)
const GRID = { columns: 2, rows: 1, width: 60, height: 90 }
const SMALL = { box: { width: 30, height: 45, fit: 'cover' }, form: 'image/webp', quality: 80 } as const
const TINT = /^#[0-9a-f]{6}$/

function start(t: { teardown(done: () => unknown): unknown }) {
  const clock = createTestClock()
  const children: ChildProcess[] = []
  const images = createImageProcess({
    clock,
    start: () => {
      const child = fork(WORKER, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
      children.push(child)
      return child
    },
  })
  t.teardown(() => images.close())
  return { clock, children, images }
}

t.test('one process makes all images, several at once', async (t) => {
  const { images, children } = start(t)
  t.equal(children.length, 0, 'none before the first')
  const bytes = await jpeg(60, 90)
  const [made, tint, blank, sheet] = await Promise.all([
    images.make(bytes, SMALL),
    images.tint(bytes),
    images.blank({ width: 40, height: 60 }),
    images.sheet([bytes, bytes], GRID),
  ])
  t.equal(made.type, 'image/webp')
  t.match(await sharp(made.bytes).metadata(), { format: 'webp', width: 30, height: 45 })
  t.match(tint, TINT)
  t.match(await sharp(blank).metadata(), { width: 40, height: 60 })
  t.match(await sharp(sheet).metadata(), { width: 120, height: 90 })
  t.equal(children.length, 1)
})

t.test('an image that cannot be decoded is bad, and the process makes the next one', async (t) => {
  const { images, children } = start(t)
  await t.rejects(images.make(Buffer.from('no image'), SMALL), BadImage)
  t.match(await images.tint(await jpeg(60, 90)), TINT)
  t.equal(children.length, 1)
})

t.test('if the process dies its jobs fail, and the next image starts another one', async (t) => {
  const { images, children } = start(t)
  const bytes = await jpeg(60, 90)
  await images.tint(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const failing: readonly Promise<unknown>[] = [images.make(bytes, SMALL), images.tint(bytes)]
  child?.kill('SIGKILL')
  for (const job of failing) await t.rejects(job, { message: 'The process that makes images has ended' })
  t.match(await images.tint(bytes), TINT)
  t.equal(children.length, 2)
})

t.test('an image that comes right after one that took too long is made by another process', async (t) => {
  const { images, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await images.tint(bytes)
  children[0]?.kill('SIGSTOP')
  const next = images.tint(bytes).catch(() => images.tint(bytes))
  await clock.advance(120_000)
  t.match(await next, TINT)
  t.equal(children.length, 2)
})

t.test('a job that takes too long ends the process', async (t) => {
  const { images, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await images.tint(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const late = images.tint(bytes)
  const exited = child && once(child, 'exit')
  await Promise.all([t.rejects(late, { message: 'An image took too long to make' }), clock.advance(120_000)])
  t.strictSame(await exited, [null, 'SIGKILL'])
})

t.test('the process ends after ten seconds without an image, and with the server', async (t) => {
  const { images, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await images.tint(bytes)
  await clock.advance(9_999)
  await images.tint(bytes)
  const exited = children[0] && once(children[0], 'exit')
  await clock.advance(10_000)
  await exited
  await images.tint(bytes)
  t.equal(children.length, 2)
  await images.close()
  t.equal(children[1]?.signalCode, 'SIGKILL')
  await t.rejects(images.tint(bytes), { message: /The server is stopping/ })
})

t.test('after replies that come together, the process idles from the last image on', async (t) => {
  const { images, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  const tint = await images.tint(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const both = [images.tint(bytes), images.tint(bytes)]
  for (const id of [2, 3]) child?.emit('message', { id, value: tint })
  await Promise.all(both)
  await clock.advance(5_000)
  const next = images.tint(bytes)
  // The process must not end: it is at work.
  await clock.advance(5_000)
  child?.kill('SIGCONT')
  t.match(await next, TINT)
  t.equal(children.length, 1)
})

t.test('the process does not outlive a server that is killed', async (t) => {
  const source = `
    import { fork } from 'node:child_process'
    const child = fork(${JSON.stringify(WORKER.pathname)}, { serialization: 'advanced', execArgv: [] })
    child.on('message', () => console.log(child.pid))
    child.send({ id: 1, job: { kind: 'tint', bytes: Buffer.alloc(3) } })`
  const server = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const worker = line.toString().trim()
  t.ok(existsSync(`/proc/${worker}`))
  server.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${worker}`))
})
