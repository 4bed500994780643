import t from 'tap'
import { distinctTimes, shownOrder } from '../../transcode-agent/frame-times.ts'

const TIMESCALE = 1000

interface Given {
  /** Presentation times in coding order; the first is a keyframe's. */
  readonly pts: readonly number[]
  readonly end: number
  readonly isJoin?: boolean
  /** Decoding order differs from display order. */
  readonly isReordered?: boolean
}

const framesOf = ({ pts, isReordered = false }: Pick<Given, 'pts' | 'isReordered'>) =>
  pts.map((ms, index) => ({ pts: ms, storedPts: ms, key: index === 0, offset: isReordered ? 40 : 0 }))
const own = ({ end, isJoin = true, ...given }: Given) => distinctTimes(framesOf(given), { timescale: TIMESCALE, end, isJoin })

t.test('times that rise stay as they are, whatever order they are coded in', async (t) => {
  t.strictSame(own({ pts: [0, 120, 40, 80, 240, 160, 200], end: 280 }), [0, 120, 40, 80, 240, 160, 200])
})

t.test('two frames at one time share the room up to the next one', async (t) => {
  t.strictSame(own({ pts: [0, 0, 40, 40, 80, 80], end: 120 }), [0, 20, 40, 60, 80, 100])
})

t.test('a frame before a pause is moved by 20 ms at most', async (t) => {
  t.strictSame(own({ pts: [0, 40, 40, 5000], end: 5040 }), [0, 40, 60, 5000])
})

t.test('a frame at the time of the next segment comes before its end', async (t) => {
  t.strictSame(own({ pts: [0, 40, 120], end: 120 }), [0, 40, 100])
  t.strictSame(own({ pts: [0, 40, 80, 80, 120, 120], end: 120 }), [0, 40, 80, 90, 100, 110])
})

t.test("a frame that ends with the film keeps the film's time", async (t) => {
  t.strictSame(own({ pts: [0, 10_000, 20_000], end: 20_000.4, isJoin: false }), [0, 10_000, 20_000])
})

t.test('of two frames at one time the later reference is shown after those that need it', async (t) => {
  t.strictSame(shownOrder(framesOf({ pts: [0, 40, 0, 40, 120, 80, 80, 120] })), [0, 2, 3, 1, 5, 6, 7, 4])
  t.strictSame(shownOrder(framesOf({ pts: [0, 40, 40], isReordered: true })), [0, 2, 1])
  t.strictSame(shownOrder(framesOf({ pts: [0, 40, 40] })), [0, 1, 2], 'without reordering, as coded')
  const [key, forward, back] = framesOf({ pts: [0, 40, 40], isReordered: true })
  t.strictSame(shownOrder([key!, forward!, { ...back!, isBidirectional: false }]), [0, 1, 2], 'where it needs no later one, as coded')
  t.strictSame(shownOrder(framesOf({ pts: [0, 0, 40], isReordered: true })), [0, 1, 2], 'nothing leads a keyframe')
})

t.test('frames for which there is no room rise by a tick', async (t) => {
  t.strictSame(own({ pts: [0, 0, 0, 0], end: 2 }), [0, 1, 2, 3])
})
