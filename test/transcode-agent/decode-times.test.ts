import t, { type Test } from 'tap'
import { decodeTimes, segmentStart } from '../../transcode-agent/decode-times.ts'

const FRAME = 3_750

/** Presentation times in coding order, of frames by number. */
const coded = (...frames: readonly number[]) => frames.map((frame) => frame * FRAME)

function check(t: Test, pts: readonly number[], start: number, end: number) {
  const dts = decodeTimes(pts, start, end)
  const durations = dts.map((time, index) => (dts[index + 1] ?? end) - time)
  t.equal(dts[0], start, 'begins at the start')
  t.ok(
    dts.every((time, index) => time <= pts[index]!),
    `no frame is shown before it is decoded: ${dts.join()} ${pts.join()}`,
  )
  t.ok(
    durations.every((duration) => duration > 0),
    `rising: ${dts.join()}`,
  )
  t.ok(
    pts.every((time, index) => time + durations[index]! <= end),
    `no frame outlasts the segment: ${dts.join()}`,
  )
  const last = pts.indexOf(Math.max(...pts))
  t.ok(end - (pts[last]! + durations[last]!) < FRAME, 'the last frame shown lasts to the end, or nearly')
  return dts
}

t.test('without reordering every frame is decoded when it is shown', async (t) => {
  const pts = coded(10, 11, 12, 13)
  t.strictSame(check(t, pts, segmentStart(pts), 14 * FRAME), pts)
})

t.test('with reordering decode times are regular but for the first few and the last', async (t) => {
  const pts = coded(0, 4, 2, 1, 3, 8, 6, 5, 7, 9)
  const dts = check(t, pts, segmentStart(pts), 10 * FRAME)
  t.strictSame(dts.slice(3, -1), coded(1, 2, 3, 4, 5, 6))
})

t.test('the first segment of a film begins at zero though its video comes later', async (t) => {
  const pts = coded(0, 3, 1, 2).map((time) => time + 900)
  t.equal(check(t, pts, 0, 4 * FRAME + 900)[1], 901)
})

t.test('a first segment whose video comes much later shows none of its frames beyond its end', async (t) => {
  const pts = coded(0, 3, 1, 2, 6, 4, 5).map((time) => time + 5 * FRAME)
  check(t, pts, 0, 12 * FRAME)
})

t.test('frames that lead an open group begin the segment one tick earlier for each frame coded before', async (t) => {
  const pts = coded(13, 11, 10, 12, 16, 14, 15)
  t.equal(segmentStart(pts), 10 * FRAME - 2)
  check(t, pts, segmentStart(pts), 17 * FRAME)
})

t.test('any order of frames within three of their place gives valid times', async (t) => {
  let seed = 1
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 200; round++) {
    const shown = [90_000]
    for (let count = 2 + Math.floor(random() * 40); count > 0; count--) shown.push(shown.at(-1)! + 300 + Math.floor(random() * 8_000))
    const end = shown.pop()!
    const order = shown.map((time, index) => ({ time, rank: index === 0 ? -1 : index + Math.floor(random() * 4) }))
    const pts = order.sort((a, b) => a.rank - b.rank).map(({ time }) => time)
    const dts = decodeTimes(pts, segmentStart(pts), end)
    const ok = dts.every((time, index) => time <= pts[index]! && time >= segmentStart(pts) && (index === 0 || time > dts[index - 1]!))
    if (!ok || dts.at(-1)! >= end) t.fail(`round ${round}: ${pts.join()} gives ${dts.join()}`)
  }
})

t.test('times that leave no room still rise', async (t) => {
  const dts = decodeTimes([100, 100, 101, 101], 100, 102)
  t.strictSame(dts, [100, 101, 102, 103])
})
