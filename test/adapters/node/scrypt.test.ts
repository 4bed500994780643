import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createWorkerScrypt } from '../../../src/adapters/node/scrypt.ts'
import { PASSWORD_COST } from '../../../src/app/accounts/password-hash.ts'

const CHEAP = { logN: 4, r: 1, p: 1 }
const WORKER = new URL('../../../src/adapters/node/scrypt-worker.ts', import.meta.url)
const inputOf = (cost = CHEAP) => ({ password: 'correct horse', salt: Buffer.alloc(16), cost, bytes: 32 })

function start(t: { teardown(done: () => unknown): unknown }) {
  const clock = createTestClock()
  const workers: Worker[] = []
  const startWorker = (): Worker => {
    const worker = new Worker(WORKER, { execArgv: [] })
    workers.push(worker)
    return worker
  }
  const scrypt = createWorkerScrypt({ clock, startWorker })
  t.teardown(() => scrypt.close())
  return { clock, workers, scrypt }
}

t.test('a burst of passwords leaves the threads that open and read files alone', async (t) => {
  const { scrypt } = start(t)
  let hashed = 0
  const burst = Array.from({ length: 8 }, () => scrypt.derive(inputOf(PASSWORD_COST)).then(() => hashed++))
  await readFile(import.meta.filename)
  t.ok(hashed < 4, `the file was read after ${hashed} of 8 hashes; in the pool of four threads it waits for more than four`)
  await Promise.all(burst)
})

t.test('a thread is there while passwords come, and for half a minute longer', async (t) => {
  const { clock, workers, scrypt } = start(t)
  t.equal(workers.length, 0)
  await scrypt.derive(inputOf())
  await clock.advance(29_999)
  await scrypt.derive(inputOf())
  await clock.advance(29_999)
  t.equal(workers.length, 1)
  const [worker] = workers
  const exit = worker && once(worker, 'exit')
  await clock.advance(1)
  await exit
  await scrypt.derive(inputOf())
  t.equal(workers.length, 2)
})

t.test('a thread that has died fails one password and not the next', async (t) => {
  const { workers, scrypt } = start(t)
  await scrypt.derive(inputOf())
  const asked = scrypt.derive(inputOf(PASSWORD_COST))
  const refused = t.rejects(asked, { message: 'The thread that hashes passwords has ended' })
  await new Promise(setImmediate)
  await workers[0]?.terminate()
  await refused
  t.equal((await scrypt.derive(inputOf())).byteLength, 32)
  t.equal(workers.length, 2)
})

t.test('a thread that does not answer is given up after a minute', async (t) => {
  const clock = createTestClock()
  const deaf = new URL('data:text/javascript,import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", () => {}))')
  const scrypt = createWorkerScrypt({ clock, startWorker: () => new Worker(deaf) })
  t.teardown(() => scrypt.close())
  const refused = t.rejects(scrypt.derive(inputOf()), { message: 'The hashing of a password took too long' })
  await new Promise(setImmediate)
  await clock.advance(60_000)
  await refused
})
