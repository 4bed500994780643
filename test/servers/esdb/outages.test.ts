import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { EncodedEvent } from '../../../src/events/envelope.ts'
import { START } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { OutcomeUnknown, type Appended, type Expected } from '../../../src/ports/event-log.ts'
import { all, take } from '../../fixtures/event-log-contract.ts'
import { someEvent, someEvents } from '../../fixtures/events.ts'
import { until, withServer } from './esdb.ts'

/** Like a server's listening socket: waiting for an unavailable server keeps no process alive. */
const awake = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(awake))

interface Sent {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly EncodedEvent[]
  answer?: Appended
}

withServer(t, 'killed under 32 appenders: nothing acknowledged is lost, and what was not answered can be repeated', async (t, esdb) => {
  const log = esdb.log(t)
  const sent: Sent[] = []
  for (let round = 0; round < 3; round++) {
    const appenders = Array.from({ length: 32 }, async (_, n) => {
      const stream = `movie-${round}-${n}`
      for (let revision = 0; ; revision++) {
        const one: Sent = { stream, expected: revision === 0 ? 'absent' : revision - 1, events: [someEvent({ revision })] }
        sent.push(one)
        try {
          one.answer = await log.append(one.stream, one.expected, one.events)
        } catch (error) {
          return error
        }
      }
    })
    const enough = (round + 1) * 200
    await until(async () => sent.filter(({ answer }) => answer).length >= enough)
    await esdb.server.kill('SIGKILL')
    for (const error of await Promise.all(appenders)) t.ok(error instanceof OutcomeUnknown)
    await esdb.server.restart()
    await until(() => log.check())
  }
  const acknowledged = sent.filter(({ answer }) => answer)
  t.ok(acknowledged.length >= 600, `${acknowledged.length} acknowledged`)
  t.equal(sent.length - acknowledged.length, 96)
  for (const one of sent) {
    const again = await log.append(one.stream, one.expected, one.events)
    if (one.answer)
      t.ok(again.revision === one.answer.revision && again.position === one.answer.position, `${one.stream} ${again.revision}`)
    else t.equal(again.revision, one.expected === 'absent' ? 0 : one.expected + 1)
  }
  const stored = await take(log, START, sent.length)
  t.strictSame(stored.map(({ id }) => id).sort(), sent.flatMap(({ events }) => events.map(({ id }) => id)).sort())
})

withServer(t, 'a server that is held: calls end in time, and all goes on when it is let go', async (t, esdb) => {
  const log = esdb.log(t, { timeoutMs: 1_000, answerMs: 1_000 })
  const [first, last] = [someEvents(1), someEvents(1)]
  await until(() => log.append('movie-a', 'absent', first))
  const following = take(log, START, 3)
  await sleep(100)
  await esdb.server.suspend()
  t.teardown(() => esdb.server.signal('SIGCONT'))
  const events = someEvents(1)
  const sinceMs = performance.now()
  await Promise.all([
    t.rejects(log.append('movie-a', 0, events), OutcomeUnknown),
    t.rejects(all(log.read('movie-a')), ServerUnavailable),
    t.rejects(log.head(), ServerUnavailable),
    t.rejects(log.check(), ServerUnavailable),
  ])
  const tookMs = performance.now() - sinceMs
  t.ok(tookMs < 4_000, `${tookMs} ms`)
  esdb.server.signal('SIGCONT')
  t.equal((await until(() => log.append('movie-a', 0, events))).revision, 1)
  t.equal((await until(() => log.append('movie-a', 1, last))).revision, 2)
  t.strictSame(
    (await following).map(({ revision }) => revision),
    [0, 1, 2],
  )
})

withServer(t, 'a follower of a server that is held beyond its keep-alive gets each event once', async (t, esdb) => {
  const drops: unknown[] = []
  const log = esdb.log(t, { dropped: (cause) => drops.push(cause) })
  await log.append('movie-a', 'absent', someEvents(1))
  const following = take(log, START, 3)
  await sleep(100)
  const sinceMs = performance.now()
  await esdb.server.suspend()
  t.teardown(() => esdb.server.signal('SIGCONT'))
  await until(async () => drops.length > 0)
  const noticedMs = performance.now() - sinceMs
  t.ok(noticedMs > 4_000 && noticedMs < 16_000, `noticed after ${noticedMs} ms`)
  esdb.server.signal('SIGCONT')
  const events = someEvents(2)
  await until(() => log.append('movie-a', 0, events))
  t.strictSame(
    (await following).map(({ revision }) => revision),
    [0, 1, 2],
  )
})

withServer(t, 'a server that comes up later is found by what was made before it', async (t, esdb) => {
  await esdb.server.kill()
  const log = esdb.log(t)
  const following = take(log, START, 1)
  await t.rejects(log.append('movie-a', 'absent', someEvents(1)), ServerUnavailable)
  await t.rejects(log.check(), ServerUnavailable)
  await esdb.server.restart()
  const events = someEvents(1)
  await until(() => log.append('movie-a', 'absent', events))
  const sinceMs = performance.now()
  t.equal((await following).length, 1)
  t.ok(performance.now() - sinceMs < 2_000, `${performance.now() - sinceMs} ms`)
})
