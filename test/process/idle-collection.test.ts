import t from 'tap'
import { collectWhenIdle } from '../../src/process/idle-collection.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'

t.test('garbage is collected when nothing is done, and again only after the heap has grown', async (t) => {
  const clock = createTestClock()
  let [cpuMs, heapBytes, collections] = [500, 30e6, 0]
  const collect = (): void => {
    collections++
    cpuMs += 100
    heapBytes -= 5e6
  }
  const end = collectWhenIdle({ clock, collect, cpuMs: () => cpuMs, heapBytes: () => heapBytes })
  const lookAfter = async (work: number): Promise<number> => {
    cpuMs += work
    await clock.advance(20_000)
    return collections
  }
  t.equal(await lookAfter(5000), 0, 'a scan runs')
  t.equal(await lookAfter(100), 1, 'idle')
  t.equal(await lookAfter(100), 1, 'the collection itself is no work, and nothing has grown')
  heapBytes += 1e6
  t.equal(await lookAfter(0), 1, 'too little')
  heapBytes += 2e6
  t.equal(await lookAfter(300), 1, 'somebody is served')
  t.equal(await lookAfter(10), 2)
  end()
  heapBytes += 10e6
  t.equal(await lookAfter(0), 2, 'ended')
})

t.test('without --expose-gc nothing is looked at', (t) => {
  const clock = createTestClock()
  collectWhenIdle({ clock, cpuMs: () => t.fail('looked') as never })()
  t.pass()
  t.end()
})
