import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import type { WriterFile } from '../../../src/adapters/sqlite/event-log-file.ts'
import { LOG_PAGE, STREAM_PAGE } from '../../../src/adapters/sqlite/event-log-rows.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { START } from '../../../src/events/position.ts'
import { ServerUnavailable, StorageTrouble } from '../../../src/ports/server.ts'
import { OutcomeUnknown, type EventLog } from '../../../src/ports/event-log.ts'
import { all, take } from '../../fixtures/event-log-contract.ts'
import { someEvent, someEvents } from '../../fixtures/events.ts'
import { until } from '../../fixtures/until.ts'

const folder = t.testdir()
const clock = createSystemClock()
let files = 0
const newFile = (): string => join(folder, `log-${files++}.sqlite`)
const LOAD = fileURLToPath(import.meta.resolve('./append-load.ts'))
const UNTIL_REFUSED = fileURLToPath(import.meta.resolve('./append-until-refused.ts'))

const writerOf = (file: WriterFile): Worker =>
  new Worker(new URL('../../../src/adapters/sqlite/event-log-writer.ts', import.meta.url), { workerData: file })

async function positionsOf(log: EventLog): Promise<readonly string[]> {
  const head = await log.head()
  const count = Number(head)
  return (await take(log, START, count)).map(({ position }) => position)
}

t.test('a log that is opened again has the same events, goes on after them and still knows its appends', async (t) => {
  const file = newFile()
  const first = createSqliteEventLog({ file, clock })
  const events = someEvents(3)
  const answer = await first.append('movie-a', 'absent', events)
  const before = await all(first.read('movie-a'))
  await first.close()
  const second = createSqliteEventLog({ file, clock })
  t.teardown(() => second.close())
  t.strictSame(await all(second.read('movie-a')), before)
  t.strictSame(await second.append('movie-a', 'absent', events), answer)
  t.equal((await second.append('movie-a', 2, someEvents(1))).position, '00000000000000000004')
})

t.test('after kill -9 under load every acknowledged event is there, once, at its place', async (t) => {
  const file = newFile()
  const acknowledged: string[] = []
  for (const enough of [300, 800]) acknowledged.push(...(await loadAndKill(t, file, enough)))
  const log = createSqliteEventLog({ file, clock })
  t.teardown(() => log.close())
  const stored = await take(log, START, Number(await log.head()))
  const places = new Set(stored.map(({ stream, revision, position, id }) => `${stream} ${revision} ${position} ${id}`))
  t.ok(acknowledged.length >= 1100)
  t.strictSame(
    acknowledged.filter((line) => !places.has(line)),
    [],
  )
  t.equal(places.size, stored.length)
  t.strictSame(await positionsOf(log), [...new Set(stored.map(({ position }) => position))].sort())
})

/** Lines that the program wrote before it was killed. */
async function loadAndKill(t: Test, file: string, enough: number): Promise<readonly string[]> {
  const load = spawn(process.execPath, [LOAD, file, '32'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reading = createInterface({ input: load.stdout }).on('line', (line) => {
    if (lines.push(line) === enough) load.kill('SIGKILL')
  })
  const [[, signal]] = await Promise.all([once(load, 'exit'), once(reading, 'close')])
  t.equal(signal, 'SIGKILL')
  // The last line may have been cut off.
  return lines.filter((line) => line.split(' ')[3]?.length === 36)
}

t.test('an open log does not keep the process alive', async (t) => {
  const run = spawnSync(process.execPath, [LOAD, newFile(), '1', '3'], { timeout: 20_000, encoding: 'utf8' })
  t.equal(run.status, 0)
  t.equal(run.stdout.split('\n').length, 4)
})

t.test('on a full disk appends are refused, nothing is stored, and what still fits goes on', async (t) => {
  const file = newFile()
  const log = createSqliteEventLog({ file, clock, maxSizeBytes: 600_000 })
  const small = await log.append('movie-a', 'absent', someEvents(2))
  const large = someEvent({ text: 'x'.repeat(700_000) })
  const racing = await Promise.allSettled([log.append('movie-b', 'absent', [large]), log.append('movie-b', 'absent', [someEvent()])])
  t.ok(racing.some((racer) => racer.status === 'rejected' && racer.reason instanceof StorageTrouble && racer.reason.code === 'disk-full'))
  t.equal((await log.append('movie-a', 1, someEvents(1))).revision, 2)
  t.equal((await all(log.read('movie-a')))[1]?.position, small.position)
  await log.close()

  const roomy = createSqliteEventLog({ file, clock })
  t.teardown(() => roomy.close())
  const read = await all(roomy.read('movie-b'))
  t.notOk(read.some(({ id }) => id === large.id))
  t.equal((await roomy.append('movie-c', 'absent', [large])).revision, 0)
})

t.test('an I/O error while writing refuses the append and leaves the writer at work', async (t) => {
  // The test runner's preloads would handle the signal of the limit, which Node itself ignores.
  const limited = `unset NODE_OPTIONS; ulimit -f 8000; exec "$0" "$@"`
  const args = ['-c', limited, process.execPath, UNTIL_REFUSED, newFile()]
  const run = spawnSync('bash', args, { timeout: 30_000, encoding: 'utf8' })
  t.equal(run.stderr, '')
  t.strictSame(run.stdout.trim().split('\n'), ['refused storage-failing', 'stored 0', 'there 1'])
})

t.test('when the writer dies the outcome of what was on its way is unknown, and a repeat makes it known', async (t) => {
  const writers: Worker[] = []
  const startWriter = (file: WriterFile): Worker => {
    const writer = writerOf(file)
    writers.push(writer)
    return writer
  }
  const log = createSqliteEventLog({ file: newFile(), clock, startWriter })
  t.teardown(() => log.close())
  await log.append('movie-a', 'absent', someEvents(1))
  const appends = Array.from({ length: 50 }, (_, number) => ({ stream: `movie-${number}`, events: someEvents(2) }))
  const answers = Promise.allSettled(appends.map(({ stream, events }) => log.append(stream, 'absent', events)))
  await writers[0]?.terminate()
  const failed = (await answers).filter((answer) => answer.status === 'rejected')
  t.ok(failed.length > 0)
  t.ok(failed.every(({ reason }) => reason instanceof OutcomeUnknown))
  for (const { stream, events } of appends) t.equal((await log.append(stream, 'absent', events)).revision, 1)
  t.equal(writers.length, 2)
  t.equal((await positionsOf(log)).length, 101)
})

t.test('a writer without an append for a minute ends, and the next append waits for its end and starts another', async (t) => {
  const clock = createTestClock()
  const writers: Worker[] = []
  const ended: number[] = []
  const startWriter = (file: WriterFile): Worker => {
    const writer = writerOf(file)
    const number = writers.push(writer)
    t.strictSame(ended.length, number - 1, `the thread before ${number} has ended`)
    writer.once('exit', () => ended.push(number))
    return writer
  }
  const file = newFile()
  const log = createSqliteEventLog({ file, clock, startWriter })
  t.teardown(() => log.close())
  await log.append('movie-a', 'absent', someEvents(1))
  await clock.advance(40_000)
  await log.append('movie-a', 0, someEvents(1))
  await clock.advance(59_000)
  await log.append('movie-a', 1, someEvents(1))
  t.equal(writers.length, 1)
  await clock.advance(60_000)
  const appends = [log.append('movie-a', 2, someEvents(1)), log.append('movie-b', 'absent', someEvents(1))]
  t.strictSame(
    (await Promise.all(appends)).map(({ revision }) => revision),
    [3, 0],
  )
  t.strictSame(ended, [1])
  t.ok(statSync(`${file}-wal`).size > 0)
  t.equal((await positionsOf(log)).length, 5)
  await clock.advance(60_000)
  await until(() => ended.length === 2)
  t.equal(statSync(`${file}-wal`).size, 0, 'the journal is in the file')
  await log.append('movie-a', 3, someEvents(1))
  await clock.advance(60_000)
  await log.close()
  t.strictSame(ended, [1, 2, 3], 'a log that is closed waits for the end of its thread')
})

t.test('a writer that does not answer in time leaves the outcome unknown, and close does not wait for it forever', async (t) => {
  const clock = createTestClock()
  const deaf = () => new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true })
  const log = createSqliteEventLog({ file: newFile(), clock, timeoutMs: 1000, startWriter: deaf })
  const first = t.rejects(log.append('movie-a', 'absent', someEvents(1)), OutcomeUnknown)
  await clock.advance(600)
  const second = t.rejects(log.append('movie-b', 'absent', someEvents(1)), OutcomeUnknown)
  await clock.advance(400)
  await first
  await clock.advance(600)
  await second
  const closing = log.close()
  await clock.advance(1000)
  await closing
})

t.test('more appends than the queue holds are refused at once', async (t) => {
  // The last of the others is written when the machine gets to it.
  const log = createSqliteEventLog({ file: newFile(), clock, timeoutMs: 120_000 })
  t.teardown(() => log.close())
  const answers = await Promise.allSettled(
    Array.from({ length: 10_050 }, (_, number) => log.append(`movie-${number}`, 'absent', [someEvent()])),
  )
  const refused = answers.filter((answer) => answer.status === 'rejected')
  t.equal(refused.length, 50)
  t.ok(
    refused.every(({ reason }) => reason instanceof ServerUnavailable),
    'what they hold is not at fault',
  )
  t.equal(Number(await log.head()), 10_000)
})

t.test('large events travel in small batches', async (t) => {
  const log = createSqliteEventLog({ file: newFile(), clock })
  t.teardown(() => log.close())
  const large = Array.from({ length: 12 }, () => someEvent({ text: 'x'.repeat(1_000_000) }))
  for (const [index, event] of large.entries()) await log.append('movie-a', index === 0 ? 'absent' : index - 1, [event])
  const sizes: number[] = []
  for await (const batch of log.follow(START, AbortSignal.timeout(20_000))) {
    sizes.push(batch.length)
    if (sizes.reduce((sum, size) => sum + size, 0) === large.length) break
  }
  t.ok(sizes.every((size) => size <= 5))
  t.equal((await all(log.read('movie-a'))).length, large.length)
})

t.test('a long journal is copied into the file while the log is open, and is gone once it is closed', async (t) => {
  const file = newFile()
  const log = createSqliteEventLog({ file, clock })
  t.teardown(() => log.close())
  const append = (n: number) => log.append(`movie-${n}`, 'absent', [someEvent({ text: 'x'.repeat(100_000) })])
  await Promise.all(Array.from({ length: 200 }, (_, n) => append(n)))
  await until(() => statSync(file).size > 16_000_000)
  await append(200)
  t.equal((await positionsOf(log)).length, 201)
  await log.close()
  t.notOk(existsSync(`${file}-wal`))
})

t.test('close waits for the appends that are on their way', async (t) => {
  const file = newFile()
  const log = createSqliteEventLog({ file, clock })
  const appends = Array.from({ length: 100 }, (_, number) => log.append(`movie-${number}`, 'absent', [someEvent()]))
  // Appends are queued in the turn in which they are called.
  await log.head()
  await log.close()
  t.equal((await Promise.all(appends)).length, 100)
  const again = createSqliteEventLog({ file, clock })
  t.teardown(() => again.close())
  t.equal(Number(await again.head()), 100)
})

t.test('a file that is no event log, or one of a newer program, is refused and left alone', async (t) => {
  const noDatabase = newFile()
  writeFileSync(noDatabase, 'not a database, but somebody may miss it'.repeat(200))
  const before = readFileSync(noDatabase)
  t.throws(() => createSqliteEventLog({ file: noDatabase, clock }))
  t.strictSame(readFileSync(noDatabase), before)

  const newer = newFile()
  const db = new DatabaseSync(newer)
  db.exec('pragma application_id = 0x4d51656c; pragma user_version = 99')
  db.close()
  t.throws(() => createSqliteEventLog({ file: newer, clock }), {
    message: /was written by a newer version of Marquee: its format is 99, and this version knows 1/,
  })
})

t.test('pages are read along an index, without a sort', async (t) => {
  const file = newFile()
  await createSqliteEventLog({ file, clock }).close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  for (const query of [STREAM_PAGE, LOG_PAGE]) {
    const plan = db.prepare(`explain query plan ${query}`).all()
    t.ok(
      plan.every(({ detail }) => String(detail).startsWith('SEARCH')),
      query,
    )
  }
})

t.test('nothing is acknowledged while the folder of the log is elsewhere, and all goes on when it is back', async (t) => {
  const place = join(folder, 'moved')
  mkdirSync(place)
  const file = join(place, 'log.sqlite')
  const log = createSqliteEventLog({ file, clock })
  t.teardown(() => log.close())
  await log.append('movie-a', 'absent', someEvents(1))
  renameSync(place, `${place}-away`)
  await t.rejects(log.append('movie-a', 0, someEvents(1)), { code: 'files-gone', message: /log\.sqlite was deleted, moved or replaced/ })
  mkdirSync(place)
  await t.rejects(log.append('movie-a', 0, someEvents(1)), StorageTrouble)
  rmSync(place, { recursive: true })
  renameSync(`${place}-away`, place)
  t.equal((await log.append('movie-a', 0, someEvents(1))).revision, 1)
})

t.test('a log whose folder went before its first append makes no new file there', async (t) => {
  const place = join(folder, 'early')
  mkdirSync(place)
  const log = createSqliteEventLog({ file: join(place, 'log.sqlite'), clock })
  t.teardown(() => log.close())
  rmSync(place, { recursive: true })
  await t.rejects(log.append('movie-a', 'absent', someEvents(1)), { code: 'files-gone' })
  mkdirSync(place)
  await t.rejects(log.append('movie-a', 'absent', someEvents(1)), { code: 'files-gone' })
  t.notOk(existsSync(join(place, 'log.sqlite')))
})

t.test('a lock that another process may have taken, or a journal that is gone, stops the log too', async (t) => {
  for (const end of ['lock', 'log.sqlite-wal']) {
    const place = join(folder, `beside-${end}`)
    mkdirSync(place)
    writeFileSync(join(place, 'lock'), '')
    const log = createSqliteEventLog({ file: join(place, 'log.sqlite'), beside: [join(place, 'lock')], clock })
    await log.append('movie-a', 'absent', someEvents(1))
    rmSync(join(place, end))
    await t.rejects(log.append('movie-a', 0, someEvents(1)), { code: 'files-gone' })
    await log.close()
  }
})
