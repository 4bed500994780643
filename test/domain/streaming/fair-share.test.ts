import t from 'tap'
import { sessionToGiveUp, type SlotUse } from '../../../src/domain/streaming/fair-share.ts'
import { randomBelow } from '../../fixtures/random-below.ts'

/** `ann-1` is a session of `ann`. */
const userOf = (viewer: string) => viewer.split('-')[0] ?? viewer
const use = (viewer: string, startedAt: number, weight = 1): SlotUse => ({ viewers: [viewer], weight, startedAt })
const viewersOf = (uses: readonly SlotUse[]) => uses.flatMap(({ viewers }) => viewers)
const given = (uses: readonly SlotUse[], viewer: string, weight = 1) =>
  viewersOf(sessionToGiveUp(uses, { viewers: [viewer], weight }, userOf))

t.test('the newest session of the user with the most gives way, and only if that user keeps at least as many', (t) => {
  const ann = [use('ann-1', 1), use('ann-3', 3), use('ann-2', 2)]
  t.strictSame(given([...ann, use('ben-1', 4), use('ben-2', 5)], 'cid-1'), ['ann-3'])
  t.strictSame(given([use('ann-1', 1), use('ben-1', 2)], 'cid-1'), [], 'one each: who came first stays')
  t.strictSame(given([...ann, use('ben-1', 4)], 'ben-2'), ['ann-3'])
  t.strictSame(given([use('ann-1', 1), use('ann-2', 2), use('ben-1', 4)], 'ben-2'), [], 'two against one is no reason to swap')
  t.strictSame(given(ann, 'ann-4'), [], 'nobody takes from themselves')
  t.end()
})

t.test('a session gives up its video and its sound together, and what its own video needs is not held against it', (t) => {
  const ann = [use('ann-1', 1), use('ann-1', 2, 0.1), use('ann-2', 3), use('ann-2', 4, 0.1)]
  t.strictSame(given([...ann, use('ben-1', 5)], 'ben-1', 0.1), ['ann-2', 'ann-2'])
  t.end()
})

t.test('a run that other sessions watch too is not stopped', (t) => {
  const shared: SlotUse = { viewers: ['ann-3', 'ben-1'], weight: 1, startedAt: 9 }
  t.strictSame(given([use('ann-1', 1), use('ann-2', 2), shared], 'cid-1'), ['ann-2'])
  t.end()
})

t.test('nothing is given up if it would not be enough', (t) => {
  t.strictSame(given([use('ann-1', 1), use('ann-2', 2)], 'ben-1', 4), [])
  t.strictSame(given([use('ann-1', 1, 4), use('ann-2', 2)], 'ben-1', 4), ['ann-1'], 'the one that frees enough, not the newest')
  t.end()
})

t.test('in any order of requests, all users get their share and nothing goes back and forth', (t) => {
  for (let seed = 1; seed <= 200; seed++) {
    const chance = randomBelow(seed)
    const slots = 1 + chance(12)
    const users = 1 + chance(5)
    const wanted = Array.from({ length: users }, (_, user) => Array.from({ length: chance(8) }, (_, n) => `u${user}-${n}`)).flat()
    let running: SlotUse[] = []
    let taken = 0
    for (let step = 0; step < 400 && wanted.length > 0; step++) {
      const viewer = wanted[chance(wanted.length)] ?? ''
      if (viewersOf(running).includes(viewer)) continue
      if (running.length >= slots) {
        const victims = sessionToGiveUp(running, { viewers: [viewer], weight: 1 }, userOf)
        if (victims.length > 0) taken++
        running = running.filter((one) => !victims.includes(one))
      }
      if (running.length < slots) running.push(use(viewer, step))
    }
    const held = (user: number) => running.filter(({ viewers }) => userOf(viewers[0] ?? '') === `u${user}`).length
    const wants = (user: number) => wanted.filter((viewer) => userOf(viewer) === `u${user}`).length
    const counts = Array.from({ length: users }, (_, user) => user)
    const most = Math.max(0, ...counts.map(held))
    const short = counts.filter((user) => held(user) < wants(user) && held(user) + 1 < most)
    if (short.length > 0 || taken > slots * users)
      t.fail(`seed ${seed}: ${short.length} users are short of their share, ${taken} sessions gave way`)
  }
  t.pass('200 households')
  t.end()
})
