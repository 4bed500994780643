import type { ChildProcess } from 'node:child_process'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createPictureProcess } from '../../../src/adapters/sharp/picture-process.ts'
import { BadPicture } from '../../../src/ports/pictures.ts'
import { jpeg } from '../../fixtures/pictures.ts'
import { until } from '../../fixtures/until.ts'

const WORKER = new URL('../../../src/adapters/sharp/picture-worker.ts', import.meta.url)
const GRID = { columns: 2, rows: 1, width: 60, height: 90 }
const SMALL = { width: 30, height: 45, type: 'image/webp', quality: 80 } as const

function start(t: { teardown(done: () => unknown): unknown }) {
  const clock = createTestClock()
  const children: ChildProcess[] = []
  const pictures = createPictureProcess({
    clock,
    start: () => {
      const child = fork(WORKER, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
      children.push(child)
      return child
    },
  })
  t.teardown(() => pictures.close())
  return { clock, children, pictures }
}

t.test('one process makes all pictures, several at once', async (t) => {
  const { pictures, children } = start(t)
  t.equal(children.length, 0, 'none before the first')
  const bytes = await jpeg(60, 90)
  const [facts, made, tint, blank, sheet] = await Promise.all([
    pictures.look(bytes),
    pictures.make(bytes, SMALL),
    pictures.tint(bytes),
    pictures.blank({ width: 40, height: 60 }),
    pictures.sheet([bytes, bytes], GRID),
  ])
  t.strictSame(facts, { width: 60, height: 90, hasAlpha: false })
  t.match(await pictures.look(made), { width: 30, height: 45 })
  t.match(tint, /^#[0-9a-f]{6}$/)
  t.match(await pictures.look(blank), { width: 40, height: 60 })
  t.match(await pictures.look(sheet), { width: 120, height: 90 })
  t.equal(children.length, 1)
})

t.test('a picture that cannot be decoded is bad, and the process makes the next one', async (t) => {
  const { pictures, children } = start(t)
  await t.rejects(pictures.make(Buffer.from('no picture'), SMALL), BadPicture)
  t.match(await pictures.look(await jpeg(60, 90)), { width: 60 })
  t.equal(children.length, 1)
})

t.test('if the process dies its jobs fail, and the next picture starts another one', async (t) => {
  const { pictures, children } = start(t)
  const bytes = await jpeg(60, 90)
  await pictures.look(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const failing: readonly Promise<unknown>[] = [pictures.look(bytes), pictures.tint(bytes)]
  child?.kill('SIGKILL')
  for (const job of failing) await t.rejects(job, { message: 'The process that makes pictures has ended' })
  t.match(await pictures.look(bytes), { width: 60 })
  t.equal(children.length, 2)
})

t.test('a picture that comes right after one that took too long is made by another process', async (t) => {
  const { pictures, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await pictures.look(bytes)
  children[0]?.kill('SIGSTOP')
  const next = pictures.look(bytes).catch(() => pictures.look(bytes))
  await clock.advance(120_000)
  t.match(await next, { width: 60 })
  t.equal(children.length, 2)
})

t.test('a job that takes too long ends the process', async (t) => {
  const { pictures, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await pictures.look(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const late = pictures.look(bytes)
  const exited = child && once(child, 'exit')
  await Promise.all([t.rejects(late, { message: 'A picture took too long to make' }), clock.advance(120_000)])
  t.strictSame(await exited, [null, 'SIGKILL'])
})

t.test('the process ends after ten seconds without a picture, and with the server', async (t) => {
  const { pictures, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  await pictures.look(bytes)
  await clock.advance(9_999)
  await pictures.look(bytes)
  const exited = children[0] && once(children[0], 'exit')
  await clock.advance(10_000)
  await exited
  await pictures.look(bytes)
  t.equal(children.length, 2)
  await pictures.close()
  t.equal(children[1]?.signalCode, 'SIGKILL')
  await t.rejects(pictures.look(bytes), { message: /the server stops/ })
})

t.test('after replies that come together, the process idles from the last picture on', async (t) => {
  const { pictures, children, clock } = start(t)
  const bytes = await jpeg(60, 90)
  const facts = await pictures.look(bytes)
  const [child] = children
  child?.kill('SIGSTOP')
  const both = [pictures.look(bytes), pictures.look(bytes)]
  for (const id of [2, 3]) child?.emit('message', { id, value: facts })
  await Promise.all(both)
  await clock.advance(5_000)
  const next = pictures.look(bytes)
  // The process must not end: it is at work.
  await clock.advance(5_000)
  child?.kill('SIGCONT')
  t.match(await next, { width: 60 })
  t.equal(children.length, 1)
})

t.test('the process does not outlive a server that is killed', async (t) => {
  const source = `
    import { fork } from 'node:child_process'
    const child = fork(${JSON.stringify(WORKER.pathname)}, { serialization: 'advanced', execArgv: [] })
    child.on('message', () => console.log(child.pid))
    child.send({ id: 1, job: { kind: 'look', bytes: Buffer.alloc(3) } })`
  const server = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const worker = line.toString().trim()
  t.ok(existsSync(`/proc/${worker}`))
  server.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${worker}`))
})
