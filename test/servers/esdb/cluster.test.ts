import t from 'tap'
import { START } from '../../../src/events/position.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { all, take } from '../../fixtures/event-log-contract.ts'
import { someEvents } from '../../fixtures/events.ts'
import { until, withCluster } from './esdb.ts'

/** Like a server's listening socket: waiting for an unavailable server keeps no process alive. */
const awake = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(awake))

const idsOf = (events: readonly StoredEvent[]): readonly string[] => events.map(({ id }) => id)

withCluster(t, 'after an election own writes are found at once, and a write is refused by nobody', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  for (const [count, leader] of [2, 3, 1].entries()) {
    await esdb.setFaults({ leader, 'followers-lag': false })
    await esdb.setFaults({ 'followers-lag': true })
    const { revision, position } = await log.append('movie-a', count, someEvents(1))
    t.equal((await all(log.read('movie-a'))).length, revision + 1)
    t.equal(await log.head(), position)
    await log.check()
  }
})

withCluster(t, 'a follower gets each event once, in order, over elections and nodes that lag', async (t, esdb) => {
  const problems: unknown[] = []
  const log = esdb.log(t, { onError: (cause, level) => void (level === 'info' || problems.push(cause)) })
  const following = take(log, START, 10)
  const ids: string[] = []
  for (let count = 0; count < 10; count++) {
    const events = someEvents(1)
    await until(() => log.append('movie-a', count === 0 ? 'absent' : count - 1, events))
    ids.push(...events.map(({ id }) => id))
    if (count % 3 !== 2) continue
    await esdb.setFaults({ leader: (count % 2) + 2, 'followers-lag': false })
    await esdb.setFaults({ 'followers-lag': true })
  }
  t.strictSame(idsOf(await following), ids)
  t.strictSame(problems, [])
})

withCluster(t, 'without a leader calls fail, and all goes on when there is one', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  await esdb.setFaults({ electing: true, 'gossip-fails': true })
  const events = someEvents(1)
  await t.rejects(log.append('movie-a', 0, events))
  await t.rejects(log.head())
  await esdb.setFaults({ electing: false, 'gossip-fails': false, leader: 3 })
  t.equal((await until(() => log.append('movie-a', 0, events))).revision, 1)
  t.equal((await all(log.read('movie-a'))).length, 2)
})

withCluster(t, 'a leader that is frozen is left when the cluster has another, though its connection stands', async (t, esdb) => {
  const log = esdb.log(t, { timeoutMs: 1_000, answerMs: 1_000 })
  const events = [someEvents(1), someEvents(1), someEvents(1)] as const
  await log.append('movie-a', 'absent', events[0])
  const following = take(log, START, 3)
  await esdb.setFaults({ frozen: 1 })
  await t.rejects(log.append('movie-a', 0, events[1]))
  await esdb.setFaults({ leader: 2 })
  t.equal((await until(() => log.append('movie-a', 0, events[1]))).revision, 1)
  await log.append('movie-a', 1, events[2])
  t.strictSame(
    (await following).map(({ revision }) => revision),
    [0, 1, 2],
  )
})

withCluster(t, 'what a leader took alone is never delivered, and stored once when it is repeated', async (t, esdb) => {
  // The address of that node alone.
  const log = esdb.log(t, { url: esdb.url.replace(/,[^?]+/, ''), timeoutMs: 1_000 })
  await log.append('movie-a', 'absent', someEvents(1))
  await esdb.setFaults({ isolated: 1, leader: 2, 'commit-timeout': 100 })
  const events = someEvents(1)
  await t.rejects(log.append('movie-a', 0, events))
  await esdb.setFaults({ isolated: 0, untruncated: true })
  t.equal((await all(log.read('movie-a'))).length, 1)
  const other = esdb.log(t)
  await other.append('movie-b', 'absent', someEvents(1))
  t.strictSame(
    (await take(log, START, 2)).map(({ stream }) => stream),
    ['movie-a', 'movie-b'],
  )
  await esdb.setFaults({ untruncated: false })
  t.equal((await until(() => log.append('movie-a', 0, events))).revision, 1)
  t.equal((await all(log.read('movie-a'))).length, 2)
})
