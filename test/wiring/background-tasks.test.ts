/** The table of background tasks, on the leases of several nodes. */
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../src/adapters/memory/leases.ts'
import { createTroubles } from '../../src/app/tasks/trouble.ts'
import { runInBackground, type BackgroundTasks } from '../../src/wiring/background-tasks.ts'
import type { Lease } from '../../src/ports/leases.ts'

const RETRY_MS = 5_000
/** Until a node that waits has asked for the lease again: the retry, and the longest pause between two runs of a task. */
const TURN_MS = RETRY_MS + 10_000
/** Of a lease that is not renewed. */
const LEASE_MS = 15_000

function makeNodes() {
  const clock = createTestClock()
  const table = createLeaseTable()
  const errors: unknown[] = []
  const options = {
    clock,
    retryMs: RETRY_MS,
    troubles: createTroubles(clock, (cause, level) => void (level === 'info' || errors.push(cause))),
  }
  return {
    clock,
    errors,
    held: (key: string) => table.held.has(key),
    /** A node with these tasks. */
    start(tasks: BackgroundTasks) {
      const leases = createMemoryLeases({ clock, table })
      return { leases, ...runInBackground(tasks, { ...options, leases }) }
    },
  }
}

/** A task that runs until its signal, and its runs. */
function makeTask() {
  const runs: { readonly held: AbortSignal; readonly lease: Lease | undefined }[] = []
  const run = (held: AbortSignal, lease?: Lease): Promise<void> => {
    runs.push({ held, lease })
    return new Promise((_resolve, reject) => held.addEventListener('abort', () => reject(held.reason as Error), { once: true }))
  }
  return { runs, run, current: () => runs.filter(({ held }) => !held.aborted).length }
}

t.test('each task runs under its own lease, and a task without a lease runs at once', async (t) => {
  const nodes = makeNodes()
  const [backups, scans, views] = [makeTask(), makeTask(), makeTask()]
  const node = nodes.start({
    backups: { lease: 'backups', run: backups.run },
    scans: { lease: 'scans', run: scans.run },
    views: { lease: null, run: views.run },
    absent: undefined,
  })
  await nodes.clock.settle()
  t.ok(nodes.held('backups') && nodes.held('scans'))
  t.not(backups.runs[0]?.lease?.token, scans.runs[0]?.lease?.token)
  t.strictSame(
    [backups, scans, views].map(({ current }) => current()),
    [1, 1, 1],
  )
  t.equal(views.runs[0]?.lease, undefined)
  await node.stop()
  t.notOk(nodes.held('backups') || nodes.held('scans'), 'a stopped node releases its leases')
  t.strictSame(nodes.errors, [], 'a stop is no error')
})

t.test('a task with a lease runs on one node, and on another one when that node stops', async (t) => {
  const nodes = makeNodes()
  const [here, there, everywhere] = [makeTask(), makeTask(), makeTask()]
  const tasks = (task: typeof here): BackgroundTasks => ({
    scans: { lease: 'scans', run: task.run },
    views: { lease: null, run: everywhere.run },
  })
  const first = nodes.start(tasks(here))
  await nodes.clock.settle()
  const second = nodes.start(tasks(there))
  await nodes.clock.advance(10 * RETRY_MS)
  t.strictSame([here.current(), there.current(), everywhere.current()], [1, 0, 2])
  await first.stop()
  t.strictSame([here.current(), there.current()], [0, 0])
  await nodes.clock.advance(TURN_MS)
  t.strictSame([here.current(), there.current(), here.runs.length, there.runs.length], [0, 1, 1, 1])
  await second.stop()
})

t.test('a task stops when its lease is lost, and starts again under a newer lease', async (t) => {
  const nodes = makeNodes()
  const [cut, other] = [makeTask(), makeTask()]
  const node = nodes.start({ scans: { lease: 'scans', run: cut.run } })
  await nodes.clock.settle()
  const heir = nodes.start({ scans: { lease: 'scans', run: other.run } })
  node.leases.stall()
  await nodes.clock.advance(LEASE_MS - 1)
  t.strictSame([cut.current(), other.runs.length], [1, 0], 'it runs until its lease lapses')
  await nodes.clock.advance(1)
  t.ok(cut.runs[0]?.held.aborted)
  node.leases.resume()
  await nodes.clock.advance(TURN_MS)
  const [first, ...later] = [...cut.runs, ...other.runs]
  t.equal(later.length, 1)
  t.ok((later[0]?.lease?.token ?? 0) > (first?.lease?.token ?? 0))
  t.equal(cut.current() + other.current(), 1, 'on one node')
  await Promise.all([node.stop(), heir.stop()])
  t.strictSame(nodes.held('scans'), false)
})

t.test('a task that fails is reported, releases its lease and starts again; the others run on', async (t) => {
  const nodes = makeNodes()
  const steady = makeTask()
  let runs = 0
  const node = nodes.start({
    faulty: {
      lease: 'faulty',
      run: async (held, lease) => {
        if (++runs < 3) throw new Error(`failed in run ${runs}`)
        return makeTask().run(held, lease)
      },
    },
    steady: { lease: 'steady', run: steady.run },
  })
  await nodes.clock.settle()
  t.notOk(nodes.held('faulty'), 'another node may try')
  await nodes.clock.advance(1_000)
  t.equal(runs, 3)
  t.match(nodes.errors, [{ message: 'failed in run 1' }, { message: 'failed in run 2' }])
  t.ok(nodes.held('faulty'))
  t.strictSame([steady.runs.length, steady.current()], [1, 1])
  await node.stop()
})

t.test('a stop waits for the tasks that are ending', async (t) => {
  const nodes = makeNodes()
  const saved = Promise.withResolvers<void>()
  const node = nodes.start({
    slow: {
      lease: 'slow',
      run: (held) => new Promise((resolve) => held.addEventListener('abort', () => void saved.promise.then(resolve))),
    },
  })
  await nodes.clock.settle()
  let isStopped = false
  const stopped = node.stop().then(() => (isStopped = true))
  await nodes.clock.settle()
  t.strictSame([isStopped, nodes.held('slow')], [false, true])
  saved.resolve()
  await stopped
  t.notOk(nodes.held('slow'))
})
