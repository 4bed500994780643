import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createPlaces, NoAnswer, type PlacesOptions } from '../../src/drives/places.ts'

function setUp(limits: Partial<PlacesOptions> = {}) {
  const clock = createTestClock()
  const after = clock.after.bind(clock)
  const places = createPlaces({ each: 2, all: 5, waitingMost: 3, patienceMs: 30_000, answerMs: 120_000, after, ...limits })
  const begun: string[] = []
  const answers: { readonly drive: string; readonly answer: () => void }[] = []
  const call = (drive: string) => async (): Promise<string> => {
    begun.push(drive)
    await new Promise<void>((answer) => void answers.push({ drive, answer }))
    return drive
  }
  const ask = (drive: string): Promise<unknown> => places.call(drive, call(drive)).catch((cause: unknown) => cause)
  const answer = async (drive: string): Promise<void> => {
    answers
      .splice(
        answers.findIndex((each) => each.drive === drive),
        1,
      )[0]
      ?.answer()
    await clock.settle()
  }
  return { clock, places, begun, ask, answer, call }
}

t.test('a drive has a few calls at once, and other drives have theirs', async (t) => {
  const { clock, begun, ask, answer } = setUp()
  const asked = ['nas', 'nas', 'nas', 'disk'].map(ask)
  await clock.settle()
  t.strictSame(begun, ['nas', 'nas', 'disk'])
  await answer('nas')
  t.strictSame(begun, ['nas', 'nas', 'disk', 'nas'])
  for (const drive of ['nas', 'nas', 'disk']) await answer(drive)
  t.strictSame(await Promise.all(asked), ['nas', 'nas', 'nas', 'disk'])
})

t.test('a call keeps its place after its caller has given up, until the drive answers', async (t) => {
  const { clock, begun, ask, answer } = setUp()
  const asked = [ask('nas'), ask('nas')]
  await clock.advance(120_000)
  for (const each of await Promise.all(asked)) t.ok(each instanceof NoAnswer)
  const waiting = ask('nas')
  await clock.advance(29_999)
  t.strictSame(begun, ['nas', 'nas'], 'both places are taken')
  await answer('nas')
  t.strictSame(begun, ['nas', 'nas', 'nas'])
  await answer('nas')
  await answer('nas')
  t.equal(await waiting, 'nas')
})

t.test('a call that gets no place in time is not made, nor is one more than may wait', async (t) => {
  const { clock, begun, ask, answer } = setUp()
  const asked = Array.from({ length: 6 }, () => ask('nas'))
  t.ok((await asked[5]) instanceof NoAnswer, 'two have places, three wait')
  await clock.advance(30_000)
  for (const each of asked.slice(2)) t.ok((await each) instanceof NoAnswer)
  await answer('nas')
  t.strictSame(begun, ['nas', 'nas'])
})

t.test('what must happen waits for as long as it takes', async (t) => {
  const { clock, places, begun, ask, answer, call } = setUp()
  void ask('nas')
  void ask('nas')
  places.owe('nas', call('nas'))
  await clock.advance(24 * 3_600_000)
  t.equal(begun.length, 2)
  await answer('nas')
  t.equal(begun.length, 3)
})

t.test('all drives together leave threads to everything else, and take turns', async (t) => {
  const { clock, begun, ask, answer } = setUp({ all: 3 })
  for (const drive of ['a', 'a', 'b', 'b', 'c', 'c']) void ask(drive)
  await clock.settle()
  t.strictSame(begun, ['a', 'a', 'b'])
  await answer('a')
  await answer('b')
  t.strictSame(begun, ['a', 'a', 'b', 'b', 'c'])
})

t.test('a call that fails gives its place back', async (t) => {
  const { clock, places, ask, answer } = setUp({ each: 1 })
  await t.rejects(
    places.call('nas', () => Promise.reject(new Error('gone'))),
    { message: 'gone' },
  )
  const asked = ask('nas')
  await clock.settle()
  await answer('nas')
  t.equal(await asked, 'nas')
})
