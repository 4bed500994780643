import t from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { createStreamProblems } from '../../../src/app/streaming/stream-problems.ts'
import { named } from '../../fixtures/names.ts'

const [evening, morning] = [named<'session'>('evening'), named<'session'>('morning')]

/** Nodes on one bus, each of which may be cut off: its messages get lost in both directions. */
function setUp() {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const said: JsonObject[] = []
  bus.subscribe('stream.problems', ({ head }) => void said.push(head))
  function start(node: string) {
    const cut = { isOff: false }
    const problems = createStreamProblems({
      bus: {
        ...bus,
        publish: (...message) => void (cut.isOff || bus.publish(...message)),
        subscribe: (subject, handler) => bus.subscribe(subject, (...heard) => void (cut.isOff || handler(...heard))),
      },
      clock,
      node,
    })
    return { ...problems, cut }
  }
  return { bus, clock, said, start, one: start('one'), two: start('two') }
}

t.test('a session has the problem of a quality that cannot be given, until it can', async (t) => {
  const { note, of } = setUp().one
  t.equal(of(evening), null)
  note(evening, '720p', 'ffmpeg has crashed twice')
  note(evening, 'audio-0', undefined)
  t.equal(of(evening), 'ffmpeg has crashed twice', 'sound that can be had does not hide it')
  t.equal(of(morning), null)
  note(evening, '720p', undefined)
  t.equal(of(evening), null)
})

t.test('a session that is over has none, and of sessions that stay away no more than a thousand are remembered', async (t) => {
  const { note, of, forget } = setUp().one
  note(evening, '720p', 'no')
  forget(evening)
  t.equal(of(evening), null)
  const sessions = Array.from({ length: 1001 }, (_, n) => named<'session'>(`evening-${String(n).padStart(4, '0')}`))
  for (const session of sessions) note(session, '720p', 'no')
  t.equal(sessions.filter((session) => of(session) !== null).length, 1000)
})

t.test('a heartbeat through another node returns the problem, and its end, whichever node served the segment', async (t) => {
  const { clock, one, two } = setUp()
  one.note(evening, '720p', 'no')
  await clock.advance(200)
  t.equal(two.of(evening), 'no')
  two.note(evening, '720p', undefined)
  t.equal(two.of(evening), null)
  await clock.advance(200)
  t.equal(one.of(evening), null)
})

t.test('a lasting problem is announced to a node that missed it, and so is its end', async (t) => {
  const { clock, one, start } = setUp()
  one.note(evening, '720p', 'no')
  await clock.advance(200)
  const late = start('late')
  await clock.advance(10_000)
  t.equal(late.of(evening), 'no')
  late.cut.isOff = true
  one.note(evening, '720p', undefined)
  await clock.advance(24_000)
  t.equal(late.of(evening), 'no')
  await clock.advance(2_000)
  t.equal(late.of(evening), null, 'what is not told again lapses')
})

t.test('a problem that ended on another node, which was not heard, is over when the player asks for it no more', async (t) => {
  const { clock, one, two } = setUp()
  one.note(evening, '720p', 'no')
  await clock.advance(200)
  two.cut.isOff = true
  two.note(evening, '720p', undefined)
  await clock.advance(200)
  two.cut.isOff = false
  await clock.advance(10_000)
  t.equal(two.of(evening), 'no', 'wrong for a while')
  await clock.advance(90_000)
  t.equal(one.of(evening), null)
  t.equal(two.of(evening), null)
})

t.test('a quality that comes and goes is announced five times a second at most, and idle nodes are silent', async (t) => {
  const { clock, one, said } = setUp()
  for (let n = 0; n < 100; n++) {
    one.note(evening, '720p', n % 2 === 0 ? 'no' : undefined)
    await clock.advance(10)
  }
  await clock.advance(200)
  t.ok(said.length >= 2 && said.length <= 6, `${said.length} messages in a second`)
  const before = said.length
  for (let n = 0; n < 100; n++) one.note(morning, '720p', undefined)
  await clock.advance(600_000)
  t.equal(said.length, before)
})

t.test('a message in another version’s shape is ignored', async (t) => {
  const { bus, clock, one } = setUp()
  for (const problems of ['no', [evening], [[evening, '720p']], [[evening, '720p', 7]], null])
    bus.publish('stream.problems', { head: { node: 'other', problems } })
  await clock.advance(200)
  t.equal(one.of(evening), null)
})

t.test("problems of another shape than they should have are nobody's", async (t) => {
  const { bus, clock, one } = setUp()
  const good = [morning, '720p', 'ffmpeg has crashed twice']
  for (const head of [
    { node: 7, problems: [good] },
    { node: 'x'.repeat(300), problems: [good] },
    { node: 'three', problems: 'many' },
    { node: 'three', problems: Array.from({ length: 5_000 }, () => good) },
    { node: 'three', problems: [[morning, '720p', 'x'.repeat(10_000)], [morning, 7, 'text'], [morning], null] },
  ])
    bus.publish('stream.problems', { head })
  await clock.settle()
  t.equal(one.of(morning), null)
  bus.publish('stream.problems', { head: { node: 'three', problems: [null, good] } })
  await clock.settle()
  t.equal(one.of(morning), 'ffmpeg has crashed twice')
})
