import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { supervise } from '../../../src/app/tasks/supervise.ts'
import { createTrouble, createTroubles } from '../../../src/app/tasks/trouble.ts'
import type { Report } from '../../../src/ports/report.ts'

function listen() {
  const lines: string[] = []
  const onError: Report = (cause, level = 'error') => void lines.push(`${level}: ${(cause as Error).message}`)
  return { clock: createTestClock(), lines, onError }
}

t.test('a failure that is tried again is one warning, an error once it lasts, and its end is told', async (t) => {
  const { clock, lines, onError } = listen()
  const trouble = createTrouble(clock, onError)
  trouble.passed()
  for (let minute = 0; minute < 10; minute++) {
    trouble.failed(new Error('No answer from MongoDB'))
    await clock.advance(60_000)
  }
  trouble.passed()
  trouble.passed()
  t.strictSame(lines, [
    'warn: No answer from MongoDB',
    'error: No answer from MongoDB',
    'info: It works again after 600 s: No answer from MongoDB',
  ])
  trouble.failed(new Error('No answer from MongoDB'))
  t.equal(lines.at(-1), 'warn: No answer from MongoDB', 'the next outage begins anew')
})

t.test('tasks that fail for the same reason have one line together, and one when the last of them works', async (t) => {
  const { clock, lines, onError } = listen()
  const troubles = createTroubles(clock, onError)
  const tasks = [troubles(), troubles(), troubles()]
  const idle = troubles()
  for (let second = 0; second < 9; second++) {
    for (const { failed } of tasks) failed(new Error('No answer from NATS'))
    await clock.advance(1_000)
  }
  for (const { passed } of [...tasks, idle]) passed()
  t.strictSame(lines, ['warn: No answer from NATS', 'info: It works again after 9 s: No answer from NATS'])
  tasks[0]?.failed(new Error('No answer from NATS'))
  tasks[1]?.failed(new Error('No answer from MongoDB'))
  tasks[0]?.passed()
  t.strictSame(lines.slice(2), [
    'warn: No answer from NATS',
    'warn: No answer from MongoDB',
    'info: It works again after 0 s: No answer from NATS',
  ])
})

t.test('another reason is another line', async (t) => {
  const { clock, lines, onError } = listen()
  const trouble = createTrouble(clock, onError)
  for (const reason of ['refused', 'refused', 'late', 'late']) trouble.failed(new Error(reason))
  t.strictSame(lines, ['warn: refused', 'warn: late'])
})

t.test('a task that is started again warns once, and says when it works', async (t) => {
  const { clock, lines, onError } = listen()
  const stopping = new AbortController()
  let failures = 3
  const task = async (signal: AbortSignal): Promise<void> => {
    if (failures-- > 0) throw new Error('The lease is lost')
    await clock.sleep(3_600_000, signal)
  }
  const running = supervise(task, { clock, signal: stopping.signal, trouble: createTrouble(clock, onError) })
  await clock.advance(60_000)
  stopping.abort(new Error('stop'))
  await running
  t.match(lines, ['warn: The lease is lost', /^info: It works again after \d+ s: The lease is lost$/])
  t.equal(lines.length, 2)
})
