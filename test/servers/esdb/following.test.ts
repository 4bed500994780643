import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { take } from '../../fixtures/event-log-contract.ts'
import { someEvent, someEvents } from '../../fixtures/events.ts'
import { until, withServer } from './esdb.ts'
import { layWire } from './wire.ts'

/** Like a server's listening socket: waiting for an unavailable server keeps no process alive. */
const awake = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(awake))

const placesOf = (events: readonly StoredEvent[]): readonly string[] => events.map(({ stream, revision }) => `${stream} ${revision}`)

/** Appends to a stream one by one until it is stopped, and retries those without a reply. @returns the number of events */
async function appendOn(log: EventLog, stream: string, signal: AbortSignal): Promise<number> {
  let revision = -1
  while (!signal.aborted) {
    const events = [someEvent({ revision })]
    const expected = revision < 0 ? 'absent' : revision
    await until(() => log.append(stream, expected, events))
    revision += 1
  }
  return revision + 1
}

withServer(t, 'over restarts of the server a follower gets each event once, in order', async (t, esdb) => {
  let drops = 0
  const log = esdb.log(t, { dropped: () => drops++ })
  const ending = new AbortController()
  const appending = Promise.all([0, 1, 2, 3].map((n) => appendOn(log, `movie-${n}`, ending.signal)))
  const followed: StoredEvent[] = []
  const done = new AbortController()
  const following = (async () => {
    for await (const batch of log.follow(START, done.signal)) followed.push(...batch)
  })()
  // If the test has already failed, for example because a server did not start, they fail too: the first failure is the one to report.
  appending.catch(() => {})
  following.catch(() => {})
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    const enough = followed.length + 30
    await until(async () => followed.length >= enough)
    await esdb.server.kill(signal)
    await sleep(200)
    await esdb.server.restart()
  }
  const enough = followed.length + 30
  await until(async () => followed.length >= enough)
  ending.abort()
  const counts = await appending
  const total = counts.reduce((sum, count) => sum + count, 0)
  await until(async () => followed.length >= total)
  done.abort()
  await following
  t.ok(drops >= 3, `${drops} drops`)
  t.ok(total >= 120, `${total} events`)
  t.equal(followed.length, total)
  t.strictSame(followed, await take(log, START, total))
  const positions = followed.map(({ position }) => position)
  t.strictSame(positions, [...new Set(positions)].sort())
  for (const [n, count] of counts.entries()) {
    const revisions = followed.filter(({ stream }) => stream === `movie-${n}`).map(({ revision }) => revision)
    t.strictSame(
      revisions,
      Array.from({ length: count }, (_, revision) => revision),
    )
  }
})

withServer(t, 'after an outage a follower goes on as soon as another call is answered, however long it was', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  const head = await log.head()
  const following = take(log, head, 1)
  await sleep(100)
  await esdb.server.kill()
  await sleep(4_000)
  await esdb.server.restart()
  await log.append('movie-a', 0, someEvents(1))
  const sinceMs = performance.now()
  t.strictSame(placesOf(await following), ['movie-a 1'])
  t.ok(performance.now() - sinceMs < 2_000, `${performance.now() - sinceMs} ms`)
})

for (const fault of [true, false]) {
  const how = fault ? 'that leaves one event out' : 'that does not'
  withServer(t, `a follower that resumes where events were scavenged loses nothing, on a server ${how}`, async (t, esdb) => {
    const log = esdb.log(t)
    await log.append('movie-before', 'absent', someEvents(1))
    const gone = await log.append('movie-gone', 'absent', someEvents(3))
    const later = await log.append('movie-stays', 'absent', someEvents(4))
    await esdb.client.tombstoneStream('movie-gone')
    await esdb.scavenge()
    await esdb.setFaults({ 'resume-loses-one': fault })
    const goneAt = gone.position ?? START
    const stays = [0, 1, 2, 3].map((revision) => `movie-stays ${revision}`)
    t.strictSame(placesOf(await take(log, goneAt, 4)), stays)
    t.strictSame(placesOf(await take(log, START, 5)), ['movie-before 0', ...stays])
    const waiting = take(log, goneAt, 5)
    await log.append('movie-new', 'absent', someEvents(1))
    t.strictSame(placesOf(await waiting), [...stays, 'movie-new 0'])
    t.strictSame(placesOf(await take(log, later.position ?? START, 1)), ['movie-new 0'])
  })

  withServer(
    t,
    `nothing is lost where all that followed the scavenged position is the server's own, on a server ${how}`,
    async (t, esdb) => {
      const log = esdb.log(t)
      const gone = await log.append('movie-gone', 'absent', someEvents(1))
      await esdb.client.tombstoneStream('movie-gone')
      await esdb.client.setStreamMetadata('movie-x', { maxCount: 5 })
      await esdb.scavenge()
      await esdb.setFaults({ 'resume-loses-one': fault })
      const waiting = take(log, gone.position ?? START, 2)
      await sleep(200)
      await log.append('movie-a', 'absent', someEvents(2))
      t.strictSame(placesOf(await waiting), ['movie-a 0', 'movie-a 1'])
    },
  )
}

withServer(t, "tombstones, metadata and other events of the server's are left out", async (t, esdb) => {
  const log = esdb.log(t)
  const following = take(log, START, 4)
  await esdb.client.setStreamMetadata('movie-a', { maxCount: 100 })
  await log.append('movie-gone', 'absent', someEvents(1))
  await log.append('movie-a', 'absent', someEvents(2))
  await esdb.client.tombstoneStream('movie-gone')
  await esdb.client.deleteStream('movie-a')
  await log.append('movie-b', 'absent', someEvents(1))
  const places = ['movie-gone 0', 'movie-a 0', 'movie-a 1', 'movie-b 0']
  t.strictSame(placesOf(await following), places)
  t.strictSame(placesOf(await take(log, START, 4)), places)
})

withServer(t, 'a follower from a longer log goes on when this one is longer than that', async (t, esdb) => {
  const log = esdb.log(t)
  const head = (await log.append('movie-a', 'absent', someEvents(1))).position ?? START
  const position = toPosition(BigInt(head) + 5_000n)
  const following = take(log, position, 1)
  await sleep(100)
  let appended = await log.append('movie-b', 'absent', someEvents(1))
  const first = appended.position ?? START
  t.ok(first > head && first < position)
  while ((appended.position ?? START) <= position) appended = await log.append('movie-b', appended.revision, someEvents(1))
  t.equal((await following)[0]?.position, appended.position)
})

withServer(t, 'a follower that is slow holds a bounded part of the log, not all that it has not taken', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const [log, direct] = [esdb.log(t, { url: wire.url }), esdb.log(t)]
  const text = 'x'.repeat(20_000)
  for (let n = 0; n < 100; n++) {
    const events = someEvents(10).map((event) => ({ ...event, data: { text } }))
    await direct.append('movie-a', n === 0 ? 'absent' : n * 10 - 1, events)
  }
  let taken = 0
  for await (const batch of log.follow(START, AbortSignal.timeout(30_000))) {
    taken += batch.length
    if (taken < 1_000) await sleep(taken === batch.length ? 1_000 : 20)
    else break
    if (taken === batch.length) t.ok(wire.heardBytes() < 12_000_000, `${wire.heardBytes()} of 20,000,000 bytes`)
  }
  t.equal(taken, 1_000)
})

withServer(t, 'a subscription that its consumer leaves is ended on the server too', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const [log, direct] = [esdb.log(t, { url: wire.url }), esdb.log(t)]
  await direct.append('movie-a', 'absent', someEvents(1))
  await take(log, START, 1)
  const ending = new AbortController()
  const following = (async () => {
    for await (const _ of log.follow(START, ending.signal)) ending.abort()
  })()
  await following
  await log.check()
  const before = wire.heardBytes()
  await direct.append('movie-a', 0, [someEvent({ text: 'x'.repeat(200_000) })])
  await sleep(300)
  t.ok(wire.heardBytes() - before < 1_000, `${wire.heardBytes() - before} bytes`)
})

withServer(t, 'many followers that come and go leave no listeners behind', async (t, esdb) => {
  const warnings: Error[] = []
  const warn = (warning: Error): number => warnings.push(warning)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  const signal = new AbortController().signal
  for (let round = 0; round < 15; round++) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for await (const batch of log.follow(START, signal)) if (batch.length > 0) break
      }),
    )
  }
  t.strictSame(warnings, [])
})

withServer(t, 'a subscription that is never confirmed is given up in time', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const drops: unknown[] = []
  const log = esdb.log(t, { url: wire.url, answerMs: 200, dropped: (cause) => drops.push(cause) })
  await log.check()
  wire.mute()
  const following = take(log, START, 1)
  await until(async () => drops.length >= 2)
  wire.cut()
  const events = someEvents(1)
  await until(() => log.append('movie-a', 'absent', events))
  t.equal((await following).length, 1)
})

t.test('a follower without a server tries ever more slowly', async (t) => {
  const { createEsdbEventLog } = await import('../../../src/adapters/esdb/event-log.ts')
  const time = createTestClock()
  const drops: number[] = []
  let pauses = 0
  const sleeping = async (ms: number, signal?: AbortSignal): Promise<void> => {
    pauses++
    await time.sleep(ms, signal).finally(() => pauses--)
  }
  const clock = { ...time, sleep: sleeping }
  const log = createEsdbEventLog({ url: 'esdb://127.0.0.1:1?tls=false', clock, dropped: () => drops.push(clock.monotonic()) })
  const ending = new AbortController()
  const following = take(log, START, 1)
  following.catch(() => {})
  for (let step = 0; step < 600; step++) {
    // An attempt takes real time.
    await until(async () => pauses > 0)
    await clock.advance(100)
  }
  t.ok(drops.length >= 8 && drops.length <= 20, `${drops.length} tries in a minute`)
  ending.abort()
  await log.close()
  await t.rejects(following)
})

withServer(t, 'a position that is none of this log: the follower gets what is after it, and it is said once', async (t, esdb) => {
  const problems: unknown[] = []
  const log = esdb.log(t, { onError: (cause, level) => void (level === 'info' || problems.push(cause)) })
  const first = await log.append('movie-a', 'absent', someEvents(1))
  await log.append('movie-a', 0, someEvents(2))
  const inside = toPosition(BigInt(first.position ?? START) + 1n)
  for (const _ of [1, 2]) t.strictSame(placesOf(await take(log, inside, 2)), ['movie-a 1', 'movie-a 2'])
  const waiting = take(log, inside, 4)
  await log.append('movie-b', 'absent', someEvents(2))
  t.strictSame(placesOf(await waiting), ['movie-a 1', 'movie-a 2', 'movie-b 0', 'movie-b 1'])
  t.match(problems, [{ message: /no event at position \d+, which was read before/ }])
  t.equal(problems.length, 1)
})

withServer(t, 'the last record of another log: what comes later is delivered, though the position lies inside it', async (t, esdb) => {
  const log = esdb.log(t)
  const last = await log.append('movie-a', 'absent', someEvents(1))
  const following = take(log, toPosition(BigInt(last.position ?? START) + 1n), 1)
  await sleep(200)
  await log.append('movie-a', 0, someEvents(1))
  t.strictSame(placesOf(await following), ['movie-a 1'])
})

withServer(t, 'an outage is told once, however many follow and however often they try', async (t, esdb) => {
  const problems: unknown[] = []
  const log = esdb.log(t, { onError: (cause, level) => void (level === 'info' || problems.push(cause)) })
  const following = [1, 2, 3].map(() => take(log, START, 2))
  await log.append('movie-a', 'absent', someEvents(1))
  await sleep(200)
  for (let outage = 1; outage <= 2; outage++) {
    await esdb.server.kill()
    await sleep(500)
    await esdb.server.restart()
    await until(() => log.head())
    await sleep(1_000)
    t.equal(problems.length, outage)
  }
  await log.append('movie-a', 0, someEvents(1))
  await Promise.all(following)
})

withServer(t, 'so many followers as there may be calls on a connection stop no append, and each gets every event', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  const following = Array.from({ length: 130 }, () => take(log, START, 3))
  await until(async () => (await log.append('movie-a', 0, someEvents(1))).revision === 1)
  await log.append('movie-a', 1, someEvents(1))
  for (const events of await Promise.all(following)) t.strictSame(placesOf(events), ['movie-a 0', 'movie-a 1', 'movie-a 2'])
})

withServer(t, 'a subscription that the server ends because its reader stood still is no outage, and nothing is lost', async (t, esdb) => {
  const [drops, problems]: [unknown[], unknown[]] = [[], []]
  const log = esdb.log(t, {
    dropped: (cause) => drops.push(cause),
    onError: (cause, level) => void (level === 'info' || problems.push(cause)),
  })
  await log.append('movie-a', 'absent', someEvents(1))
  const following = take(log, START, 5)
  await take(log, START, 1)
  await esdb.setFaults({ 'too-slow': 2 })
  for (const revision of [0, 1, 2, 3]) await log.append('movie-a', revision, someEvents(1))
  t.strictSame(
    placesOf(await following),
    [0, 1, 2, 3, 4].map((revision) => `movie-a ${revision}`),
  )
  t.strictSame([drops, problems], [[], []])
})
