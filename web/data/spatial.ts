/** Where an arrow key leads among things anywhere on the screen, by their edges. Pure. `places.ts` is for cards in rows. */

export interface Edges {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const
export type Arrow = (typeof ARROWS)[number]

/** The axis of the key as if it were the right arrow: from `start` to `end`, and across it. */
interface Turned {
  readonly start: number
  readonly end: number
  readonly near: number
  readonly far: number
}

const turn = ({ left, top, right, bottom }: Edges, key: Arrow): Turned => {
  if (key === 'ArrowRight') return { start: left, end: right, near: top, far: bottom }
  if (key === 'ArrowLeft') return { start: -right, end: -left, near: top, far: bottom }
  if (key === 'ArrowDown') return { start: top, end: bottom, near: left, far: right }
  return { start: -bottom, end: -top, near: left, far: right }
}

/** Right and left stay in the row, if anything more is in it; what is below may stand less exactly there. */
const ACROSS = {
  ArrowLeft: { once: 10_000, each: 8 },
  ArrowRight: { once: 10_000, each: 8 },
  ArrowUp: { once: 0, each: 2 },
  ArrowDown: { once: 0, each: 2 },
}
/** Among those that are as near, the one whose middle is nearest. */
const MIDDLE_WEIGHT = 0.1
/** Borders may overlap. */
const SLACK_PX = 2

/** The index of the nearest on that side; undefined: there is none. */
export function nearestOn(key: Arrow, from: Edges, all: readonly Edges[]): number | undefined {
  const here = turn(from, key)
  const scored = all.flatMap((edges, index) => {
    const there = turn(edges, key)
    const isBeyond = there.start >= here.end - SLACK_PX || (there.start > here.start + SLACK_PX && there.end > here.end + SLACK_PX)
    if (!isBeyond) return []
    const across = Math.max(0, there.near - here.far, here.near - there.far)
    const middles = Math.abs((there.near + there.far) / 2 - (here.near + here.far) / 2)
    const { once, each } = ACROSS[key]
    const score = Math.max(0, there.start - here.end) + (across > 0 ? once + across * each : 0) + middles * MIDDLE_WEIGHT
    return [{ index, score }]
  })
  return scored.sort((one, other) => one.score - other.score)[0]?.index
}

const middle = ({ left, top, right, bottom }: Edges) => ({ x: (left + right) / 2, y: (top + bottom) / 2 })

/** The index of the one that is nearest, on any side: it takes the place of one that is gone. */
export function nearestTo(from: Edges, all: readonly Edges[]): number | undefined {
  const here = middle(from)
  const distances = all.map((edges, index) => {
    const { x, y } = middle(edges)
    return { index, far: Math.hypot(x - here.x, y - here.y) }
  })
  return distances.sort((one, other) => one.far - other.far)[0]?.index
}
