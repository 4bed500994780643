import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createWorkerTextReader } from '../../../src/adapters/worker/text-reader.ts'
import { textReading } from '../../../src/app/derived-media/text-reading.ts'
import { startTextThread } from '../../../src/wiring/text-thread.ts'

const FORM = { format: 'subrip', language: null } as const
const LARGE = Buffer.from(`00:00:01,000 --> 00:00:02,000\nhere\n${'\n'.repeat(20_000)}`)
const SMALL = LARGE.subarray(0, 1000)
const CUES = [{ startMs: 1000, endMs: 2000, settings: '', text: 'here' }]

/** Never finishes reading its first text. */
const DEAF = `require('node:worker_threads').parentPort.on('message', () => { while (true) {} })`

function setUp(t: { teardown(done: () => unknown): unknown }, startThread: (started: number) => Worker = startTextThread) {
  const clock = createTestClock()
  const workers: Worker[] = []
  const start = (): Worker => {
    const worker = startThread(workers.length)
    workers.push(worker)
    return worker
  }
  const reader = createWorkerTextReader({ clock, reading: textReading, start })
  t.teardown(() => reader.close())
  return { clock, workers, reader }
}

t.test('a large text is read while the event loop does something else', async (t) => {
  const { reader, workers } = setUp(t)
  const cues = reader.cues(LARGE, FORM)
  const turn = new Promise((resolve) => setImmediate(resolve, 'another turn'))
  t.equal(await Promise.race([cues, turn]), 'another turn')
  t.strictSame(await cues, CUES)
  t.equal(workers.length, 1)
})

t.test('a small text needs no thread', async (t) => {
  const { reader, workers } = setUp(t)
  t.strictSame(await reader.cues(SMALL, FORM), CUES)
  t.equal(workers.length, 0)
})

t.test('a small text whose encoding has to be guessed is read while the event loop does something else', async (t) => {
  const { reader, workers } = setUp(t)
  const cues = reader.cues(Buffer.from('00:00:01,000 --> 00:00:02,000\nd\u00e9j\u00e0 vu\n', 'latin1'), FORM)
  const turn = new Promise((resolve) => setImmediate(resolve, 'another turn'))
  t.equal(await Promise.race([cues, turn]), 'another turn')
  t.match(await cues, [{ text: 'd\u00e9j\u00e0 vu' }])
  t.equal(workers.length, 1)
})

t.test('a text that is read forever is given up after ten seconds, and the next one is read', async (t) => {
  const { clock, reader, workers } = setUp(t, (started) => (started === 0 ? new Worker(DEAF, { eval: true }) : startTextThread()))
  const refused = t.rejects(reader.cues(LARGE, FORM), { code: 'text-unreadable' })
  const next = reader.nfo(Buffer.from(`<movie><title>One</title></movie>${'\n'.repeat(20_000)}`))
  await new Promise(setImmediate)
  const [first] = workers
  const exit = first && once(first, 'exit')
  await clock.advance(10_000)
  await refused
  await exit
  t.match(await next, { title: 'One' })
  t.equal(workers.length, 2)
})

t.test('a text that needs too much memory ends its thread, not the server', async (t) => {
  const greedy = `require('node:worker_threads').parentPort.on('message', () => { const all = []; while (true) all.push(new Array(1e5).fill({})) })`
  const { reader } = setUp(t, () => new Worker(greedy, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }))
  await t.rejects(reader.cues(LARGE, FORM), { code: 'text-unreadable' })
})

t.test('a failing reader is reported as an unreadable text', async (t) => {
  const failing = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => parentPort.postMessage({ failure: 'no' }))`
  const { reader } = setUp(t, () => new Worker(failing, { eval: true }))
  await t.rejects(reader.cues(LARGE, FORM), { code: 'text-unreadable', message: /no$/ })
})

t.test('a burst of subtitles is refused beyond sixteen that wait, and a scan is not', async (t) => {
  const { reader } = setUp(t)
  const burst = Array.from({ length: 20 }, () => reader.cues(LARGE, FORM))
  const nfo = reader.nfo(Buffer.from(`<movie><title>One</title></movie>${'\n'.repeat(20_000)}`))
  const idempotencyStore = await Promise.allSettled(burst)
  t.equal(idempotencyStore.filter(({ status }) => status === 'fulfilled').length, 17)
  t.ok(idempotencyStore.slice(17).every((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'no-slot'))
  t.match(await nfo, { title: 'One' })
})

t.test('the thread ends when nothing was read for half a minute', async (t) => {
  const { clock, reader, workers } = setUp(t)
  await reader.cues(LARGE, FORM)
  const [worker] = workers
  const exit = worker && once(worker, 'exit')
  await clock.advance(30_000)
  await exit
  t.strictSame(await reader.cues(LARGE, FORM), CUES)
  t.equal(workers.length, 2)
})
