import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createIdleClock } from '../../../src/app/access/idle-clock.ts'
import { iso } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const id = named<'session'>('evening')
const session = { id, idleSeconds: 120 }

function make({ behindMs = 0, isLive = true } = {}) {
  const clock = createTestClock()
  const idle = createIdleClock({ clock, behindMs: () => behindMs })
  if (isLive) idle.caughtUp()
  return { clock, idle, beat: (atMs = clock.now()) => idle.heard({ id, beatAt: iso(atMs) }) }
}

t.test('a session is idle 120 s after its heartbeat was heard, to the millisecond', async (t) => {
  const { clock, idle, beat } = make()
  beat()
  await clock.advance(119_999)
  t.notOk(idle.isIdle(session))
  await clock.advance(1)
  t.ok(idle.isIdle(session))
  beat()
  t.notOk(idle.isIdle(session))
})

t.test('a clock that is ten minutes ahead, or is set forward, ends no session of others', async (t) => {
  const { clock, idle, beat } = make()
  beat(clock.now() - 600_000)
  await clock.advance(80_000)
  t.notOk(idle.isIdle(session), 'the heartbeat was dated by another node')
  clock.setNow(clock.now() + 600_000)
  t.notOk(idle.isIdle(session), 'and this clock was set')
})

t.test('what is read at a start is dated by the log: a session that went idle while the server was down is over', async (t) => {
  const { clock, idle, beat } = make({ isLive: false })
  beat(clock.now() - 119_999)
  t.notOk(idle.isIdle(session))
  await clock.advance(1)
  t.ok(idle.isIdle(session))
})

t.test('a heartbeat in the log from a clock that was a week ahead keeps a session no longer than any other', async (t) => {
  const { clock, idle, beat } = make({ isLive: false })
  beat(clock.now() + 7 * 86_400_000)
  await clock.advance(119_999)
  t.notOk(idle.isIdle(session))
  await clock.advance(1)
  t.ok(idle.isIdle(session))
})

t.test('at a start the slowest clock of the nodes decides', async (t) => {
  const { clock, idle, beat } = make({ isLive: false, behindMs: 600_000 })
  beat(clock.now() - 605_000)
  t.equal(idle.silentMs(id), 5000)
  beat(clock.now())
  t.equal(idle.silentMs(id), 0)
})

t.test('while heartbeats cannot be taken nobody gets idle', async (t) => {
  for (const isLive of [true, false]) {
    const { clock, idle, beat } = make({ isLive })
    beat()
    await clock.advance(100_000)
    idle.takes(false)
    await clock.advance(600_000)
    t.equal(idle.silentMs(id), 100_000)
    idle.takes(true)
    await clock.advance(19_999)
    t.notOk(idle.isIdle(session))
    await clock.advance(1)
    t.ok(idle.isIdle(session))
    beat()
    t.equal(idle.silentMs(id), 0, 'a later heartbeat has nothing to do with it')
  }
})

t.test('a session that this node has not heard of is not idle, nor one that is forgotten', async (t) => {
  const { clock, idle, beat } = make()
  beat()
  idle.forget(id)
  await clock.advance(200_000)
  t.equal(idle.silentMs(id), 0)
  idle.missed(id)
  await clock.advance(200_000)
  t.equal(idle.silentMs(id), 0, 'a heartbeat after its end does not bring it back')
})

t.test('a heartbeat that is heard of late counts from when it was taken; one that could not be stored from when it came', async (t) => {
  const { clock, idle, beat } = make()
  beat(clock.now() - 7_000)
  t.equal(idle.silentMs(id), 7_000)
  await clock.advance(50_000)
  idle.missed(id)
  t.equal(idle.silentMs(id), 0)
})
