/** A log subscription that stalls, on a manual clock: the countermeasures, and the requests rejected meanwhile. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createViewWatchdog } from '../../../src/app/access/view-watchdog.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'

async function setUp(t: { teardown(end: () => unknown): unknown }) {
  const clock = createTestClock()
  const stopping = new AbortController()
  /** State of the log, the bus and the subscription. */
  const world = {
    head: START,
    heard: START,
    isLogAway: false,
    isLogHanging: false,
    begun: 0,
    /** Whether a new subscription succeeds. */
    follows: true,
    ends: true,
  }
  const problems: string[] = []
  const infos: string[] = []
  /** The callback of each subscription. */
  const tells: ((position: Position) => void)[] = []
  const watch = createViewWatchdog({
    clock,
    log: {
      async head() {
        if (world.isLogHanging) await new Promise(() => {})
        if (world.isLogAway) throw new Error('The log is away')
        return world.head
      },
    },
    furthest: () => world.heard,
    onError: (cause, level) => void (level === 'info' ? infos : problems).push(String(cause)),
  })
  const feeding = watch.feed(async (tell, signal) => {
    world.begun++
    tell(START)
    tells.push(tell)
    if (world.follows) tell(world.head)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => world.ends && resolve()))
  }, stopping.signal)
  const watching = watch.run(stopping.signal)
  t.teardown(async () => {
    world.ends = true
    stopping.abort()
    await watching
    await Promise.race([feeding, clock.settle()])
  })
  await clock.settle()
  /** Appends an event; `comes`: the subscription delivers it. */
  const append = (position: number, comes = true): void => {
    world.head = toPosition(position)
    if (comes) tells.at(-1)?.(world.head)
  }
  const pass = (position: number, follow = -1): void => tells.at(follow)?.(toPosition(position))
  return { clock, world, watch, problems, infos, append, pass }
}

t.test('while events come, or nothing happens, nobody is disturbed', async (t) => {
  const { clock, watch, world, problems, append } = await setUp(t)
  for (let n = 1; n < 100; n++) {
    append(n)
    await clock.advance(250)
  }
  await clock.advance(600_000)
  t.ok(watch.isFollowing())
  t.equal(world.begun, 1)
  t.strictSame(problems, [])
})

t.test('a feed that stalls for five seconds is restarted, which is reported once', async (t) => {
  const { clock, watch, world, problems, append } = await setUp(t)
  append(1)
  append(2, false)
  await clock.advance(5_900)
  t.equal(world.begun, 1)
  await clock.advance(1_100)
  t.equal(world.begun, 2)
  await clock.advance(60_000)
  t.equal(world.begun, 2)
  t.match(problems, [/resubscribing/])
  t.equal(problems.length, 1)
  t.ok(watch.isFollowing())
})

t.test('where that does not help nobody is judged, until the views have caught up', async (t) => {
  const { clock, watch, world, problems, infos, append, pass } = await setUp(t)
  append(1)
  world.follows = false
  append(2, false)
  await clock.advance(8_000)
  t.ok(watch.isFollowing())
  await clock.advance(1_100)
  t.notOk(watch.isFollowing())
  t.match(problems, [/resubscribing/, /refuses requests/])
  for (let n = 3; n < 50; n++) {
    append(n, false)
    await clock.advance(1_000)
  }
  t.notOk(watch.isFollowing())
  pass(10)
  await clock.advance(1_000)
  t.notOk(watch.isFollowing(), 'it is on its way only')
  pass(49)
  await clock.advance(1_000)
  t.ok(watch.isFollowing())
  t.equal(problems.length, 2)
  t.match(infos, [/up to date again/])
  t.ok(world.begun <= 6, `begun ${world.begun} times: it is tried more and more seldom`)
})

t.test('a feed that does not end when it is given up is abandoned, and its later reports are ignored', async (t) => {
  const { clock, watch, world, append, pass } = await setUp(t)
  append(1)
  world.ends = world.follows = false
  append(2, false)
  await clock.advance(7_000)
  t.equal(world.begun, 2)
  pass(2, 0)
  await clock.advance(5_000)
  t.notOk(watch.isFollowing())
  pass(2)
  await clock.advance(1_000)
  t.ok(watch.isFollowing())
})

t.test('a log that answers all others but not this node is seen by what they say', async (t) => {
  for (const fault of ['isLogAway', 'isLogHanging'] as const) {
    const { clock, watch, world, append } = await setUp(t)
    append(1)
    world[fault] = true
    await clock.advance(60_000)
    t.ok(watch.isFollowing(), 'it may be away for everybody')
    world.heard = toPosition(2)
    await clock.advance(7_000)
    t.ok(watch.isFollowing())
    await clock.advance(5_000)
    t.notOk(watch.isFollowing())
    world[fault] = false
    append(2)
    await clock.advance(2_000)
    t.ok(watch.isFollowing())
  }
})

t.test('views that come on, but eight seconds behind, are too old to judge by', async (t) => {
  const { clock, watch, world, append, pass } = await setUp(t)
  append(1)
  world.follows = false
  for (let n = 2; n < 60; n++) {
    append(n, false)
    if (n > 12) pass(n - 10)
    await clock.advance(1_000)
  }
  t.notOk(watch.isFollowing())
  t.equal(world.begun, 2, 'once at the beginning, when nothing came')
  pass(59)
  await clock.advance(1_000)
  t.ok(watch.isFollowing())
})

t.test('a process that stood still judges nobody before it knows what has happened since', async (t) => {
  const { clock, watch, world, append, pass } = await setUp(t)
  append(1)
  await clock.advance(1_000)
  // Its timers do not fire while it is suspended.
  const elapsedMs = clock.monotonic.bind(clock)
  clock.monotonic = () => elapsedMs() + 60_000
  t.notOk(watch.isFollowing(), 'from the first request on')
  world.isLogAway = true
  await clock.advance(3_000)
  t.notOk(watch.isFollowing(), 'nor while nobody tells it')
  world.isLogAway = false
  append(2, false)
  await clock.advance(1_000)
  t.notOk(watch.isFollowing())
  pass(2)
  await clock.advance(1_000)
  t.ok(watch.isFollowing())
  t.equal(world.begun, 1)
})

t.test('the head read before a pause of the process is not used after it', async (t) => {
  const { clock, watch, world, append, pass } = await setUp(t)
  append(1)
  world.isLogHanging = true
  await clock.advance(1_500)
  const elapsedMs = clock.monotonic.bind(clock)
  clock.monotonic = () => elapsedMs() + 60_000
  world.isLogHanging = false
  append(2, false)
  await clock.advance(500)
  t.notOk(watch.isFollowing())
  await clock.advance(2_000)
  t.notOk(watch.isFollowing())
  pass(2)
  await clock.advance(1_000)
  t.ok(watch.isFollowing())
})

t.test('a node that has found another log judges nobody any more', async (t) => {
  const { clock, watch, append } = await setUp(t)
  append(1)
  await clock.advance(2_000)
  t.ok(watch.isFollowing())
  watch.distrust()
  append(2)
  await clock.advance(60_000)
  t.notOk(watch.isFollowing())
  t.notOk(watch.isCurrent())
})

t.test('where nobody watches everybody is judged', async (t) => {
  const clock = createTestClock()
  const watch = createViewWatchdog({ clock, log: { head: async () => START }, furthest: () => START, onError: () => {} })
  await clock.advance(600_000)
  t.ok(watch.isFollowing())
})

t.test('what ends the feed ends it, and what it throws is thrown', async (t) => {
  const clock = createTestClock()
  const watch = createViewWatchdog({ clock, log: { head: async () => START }, furthest: () => START, onError: () => {} })
  await t.rejects(
    watch.feed(async () => {
      throw new Error('poison')
    }, new AbortController().signal),
    /poison/,
  )
  const stopping = new AbortController()
  const feeding = watch.feed((_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())), stopping.signal)
  stopping.abort()
  await feeding
})

t.test('after a pause of a second new requests wait until the views are as far as the log, and running answers go on', async (t) => {
  const { clock, watch, problems, append, pass } = await setUp(t)
  append(1)
  await clock.advance(2000)
  t.ok(watch.isCurrent())
  clock.pause(1200)
  append(2, false)
  t.notOk(watch.isCurrent(), 'before any timer has fired')
  t.ok(watch.isFollowing())
  const waiting = watch.whenCurrent()
  await clock.settle()
  t.notOk(watch.isCurrent(), 'the log’s end is known, and not reached')
  pass(2)
  t.equal(await waiting, true)
  t.ok(watch.isCurrent())
  t.strictSame(problems, [])
})

t.test('the timer that notices a pause does not hide it from the requests behind it', async (t) => {
  const { clock, watch, append, world } = await setUp(t)
  append(1)
  await clock.advance(1000)
  world.isLogAway = true
  clock.pause(1200)
  await clock.advance(300)
  t.notOk(watch.isCurrent(), 'the log has not said how far it is')
  const waiting = watch.whenCurrent()
  await clock.advance(1600)
  t.equal(await waiting, true, 'while it is away for all, what the others have announced is what counts')
})

t.test('while the log is away a node that stood still waits for what the others have heard', async (t) => {
  const { clock, watch, append, pass, world } = await setUp(t)
  append(1)
  await clock.advance(1000)
  world.isLogAway = true
  clock.pause(1200)
  world.heard = toPosition(2)
  t.notOk(watch.isCurrent())
  const late = watch.whenCurrent()
  await clock.advance(2000)
  t.equal(await late, false)
  pass(2)
  t.ok(watch.isCurrent())
})

t.test('a stall of a moment, and a wait for the log itself, are no pause', async (t) => {
  const { clock, watch, append } = await setUp(t)
  append(1)
  await clock.advance(1000)
  clock.pause(300)
  t.ok(watch.isCurrent())
  await clock.advance(60_000)
  t.ok(watch.isCurrent())
})
