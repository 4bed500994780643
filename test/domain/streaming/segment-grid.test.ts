import t from 'tap'
import {
  alignedGrid,
  copyGrid,
  evenGrid,
  gridName,
  segmentAt,
  segmentCount,
  segmentSeconds,
  startOf,
  targetSeconds,
} from '../../../src/domain/streaming/segment-grid.ts'

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

t.test('even segments add up to the film, the last one taking a short remainder', async (t) => {
  t.strictSame(segmentSeconds(evenGrid(7_000)), [2, 2, 2, 1])
  t.strictSame(segmentSeconds(evenGrid(6_700)), [2, 2, 2.7], 'less than a second left joins the segment before it')
  t.strictSame(segmentSeconds(evenGrid(300)), [0.3])
  for (const durationMs of [5_055, 64_367, 634_634, 7_261_003]) {
    t.ok(Math.abs(sum(segmentSeconds(evenGrid(durationMs))) - durationMs / 1000) < 1e-6, `${durationMs}`)
  }
})

t.test('video that ends a little before the sound leaves no empty segment behind it', async (t) => {
  t.strictSame(segmentSeconds(evenGrid(9_000, 6_400)), [2, 2, 5])
  t.strictSame(segmentCount(evenGrid(60_000, 12_000)), 30, 'but one that ends long before the film is damaged')
})

t.test('a copied segment begins with the first keyframe at least four seconds after the one before', async (t) => {
  const grid = copyGrid([0, 1_300, 3_100, 4_900, 8_200, 9_000, 13_100], 15_000)
  t.strictSame(grid, { type: 'listed', startsMs: [0, 4_900, 9_000, 13_100], endMs: 15_000 })
  t.strictSame(segmentSeconds(grid), [4.9, 4.1, 4.1, 1.9])
})

t.test('a copy keeps its last keyframe for the segment before when less than a second follows it', async (t) => {
  t.strictSame(segmentSeconds(copyGrid([0, 5_000, 9_500], 10_000)), [5, 5])
})

t.test('the first segment of a copy begins at zero even if its keyframe comes later', async (t) => {
  t.strictSame(segmentSeconds(copyGrid([25, 4_026, 8_030], 10_000)), [4.026, 4.004, 1.97])
})

t.test('the last segment of a copy goes on to the end of the film, however early its video ends', async (t) => {
  t.strictSame(copyGrid([0, 5_000], 30_000), { type: 'listed', startsMs: [0, 5_000], endMs: 30_000 })
})

t.test('the first group is in the first segment, however late it comes', async (t) => {
  t.strictSame(copyGrid([5_000, 9_500, 14_000], 20_000), { type: 'listed', startsMs: [0, 9_500, 14_000], endMs: 20_000 })
})

t.test('sums of neighbouring EXTINF stay within a microsecond of the boundaries, for thirds of milliseconds too', async (t) => {
  const keyframes = Array.from({ length: 2_000 }, (_, index) => (index * 1001 * 100) / 24)
  const seconds = segmentSeconds(copyGrid(keyframes, keyframes.at(-1)!))
  t.ok(Math.abs(sum(seconds) - keyframes.at(-1)! / 1000) < 1e-6)
})

t.test('a moment belongs to the segment that begins at or before it', async (t) => {
  const copy = copyGrid([0, 4_900, 9_000], 12_000)
  t.strictSame(
    [-5, 0, 4_899.9, 4_900, 8_999, 9_000, 50_000].map((ms) => segmentAt(copy, ms)),
    [0, 0, 0, 1, 1, 2, 2],
  )
  t.strictSame(
    [0, 1_999, 2_000, 99_000].map((ms) => segmentAt(evenGrid(7_000), ms)),
    [0, 0, 1, 3],
  )
  t.equal(startOf(copy, 3), 12_000, 'after the last one the film ends')
})

t.test('one target duration covers the longest segment of all renditions', async (t) => {
  t.equal(targetSeconds([evenGrid(7_000), copyGrid([0, 9_300], 12_000)]), 10)
  t.equal(targetSeconds([evenGrid(8_000)]), 2)
})

t.test('a grid beside a copy divides each of its segments into parts of about two seconds', async (t) => {
  const copy = copyGrid([0, 4_900, 9_000, 19_000], 20_600)
  t.strictSame(segmentSeconds(alignedGrid(copy)), [2.45, 2.45, 2.05, 2.05, 2, 2, 2, 2, 2, 1.6])
  t.strictSame(
    segmentSeconds(alignedGrid(copyGrid([0, 5_000], 11_000), 7_500)),
    [1.666667, 1.666666, 1.666667, 6],
    'the last goes on to the end of the sound',
  )
  t.strictSame(
    segmentSeconds(alignedGrid(copyGrid([0, 5_000], 30_000), 7_000)).slice(-2),
    [1.923077, 1.923077],
    'what is missing has segments too',
  )
})

t.test('two grids have one name only if they are the same', async (t) => {
  const grids = [
    evenGrid(8_000),
    evenGrid(8_001),
    copyGrid([0, 5_000], 10_000),
    copyGrid([0, 5_001], 10_000),
    copyGrid([0, 5_000], 10_001),
    alignedGrid(copyGrid([0, 5_000], 10_000)),
  ]
  const names = grids.map(gridName)
  t.equal(new Set(names).size, grids.length, names.join())
  t.equal(gridName(copyGrid([0, 5_000], 10_000)), names[2])
  for (const name of names) t.match(name, /^[a-z0-9-]+$/)
})
