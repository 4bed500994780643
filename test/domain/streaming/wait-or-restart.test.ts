import t from 'tap'
import { evenGrid } from '../../../src/domain/streaming/segment-grid.ts'
import { made, restarted, retryDelayMs, startAt, willReach, FIRST_PACE } from '../../../src/domain/streaming/wait-or-restart.ts'

const grid = evenGrid(7_200_000)
const slow = { restartMs: 650, segmentMs: 300 }

t.test('a run is waited for while it gets there sooner than a new one', async (t) => {
  const reached = [9, 10, 11, 12, 13, 100].map((wanted) => willReach(grid, { next: 10, wanted }, slow))
  t.strictSame(reached, [false, true, true, true, false, false], '2 segments cost 600 ms, 3 cost 900, a restart 845')
})

t.test('even the fastest run is waited for no further than 16 s of film', async (t) => {
  const fast = { restartMs: 650, segmentMs: 1 }
  t.ok(willReach(grid, { next: 0, wanted: 8 }, fast))
  t.notOk(willReach(grid, { next: 0, wanted: 9 }, fast))
})

t.test('the pace follows what is measured', async (t) => {
  let pace = FIRST_PACE
  for (let count = 0; count < 20; count++) pace = made(restarted(pace, 100), 10)
  t.ok(Math.abs(pace.restartMs - 100) < 5 && Math.abs(pace.segmentMs - 10) < 5)
})

t.test('starts that come to nothing make the next one wait longer, up to a limit', async (t) => {
  t.strictSame([0, 1, 2, 3, 4, 9].map(retryDelayMs), [0, 0, 300, 600, 1_200, 2_400])
})

t.test('a start follows another one at once after a second, sooner only when the viewer holds still', async (t) => {
  const never = -Infinity
  t.equal(startAt({ last: never, before: never }, 5_000), 5_000)
  t.equal(startAt({ last: 4_000, before: never }, 5_000), 5_000)
  t.equal(startAt({ last: 4_500, before: never }, 5_000), 5_150)
  t.equal(startAt({ last: 4_000, before: 3_000 }, 5_000), 5_300)
  t.equal(startAt({ last: 3_100, before: 3_000 }, 5_000), 5_100, 'two seconds after the last start it is time')
})
