/** Where an arrow key leads among things that stand in rows, by where they are. Pure. */

/** Middle and height, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly height: number
}

interface Place {
  readonly boxes: readonly Box[]
  readonly index: number
}

type Sides = Readonly<Record<string, (from: Box, to: Box) => boolean>>

const isSameRow = (from: Box, to: Box): boolean => Math.abs(from.y - to.y) < Math.min(from.height, to.height) / 2

const SIDES: Sides = {
  ArrowRight: (from, to) => isSameRow(from, to) && to.x > from.x,
  ArrowLeft: (from, to) => isSameRow(from, to) && to.x < from.x,
  ArrowDown: (from, to) => !isSameRow(from, to) && to.y > from.y,
  ArrowUp: (from, to) => !isSameRow(from, to) && to.y < from.y,
}

/** The index of the nearest one on that side: of the next row, the one that is nearest across. Undefined: there is none, or it is no arrow. */
export function placeByKey(key: string, { boxes, index }: Place): number | undefined {
  if (key === 'Home' || key === 'End') return key === 'Home' ? 0 : boxes.length - 1
  const from = boxes[index]
  const isThere = SIDES[key]
  if (!from || !isThere) return undefined
  const there = boxes.flatMap((to, at) => (at !== index && isThere(from, to) ? [{ to, at }] : []))
  const distance = ({ to }: { readonly to: Box }): number => Math.abs(to.x - from.x) + ROW_WEIGHT * Math.abs(to.y - from.y)
  return there.sort((one, other) => distance(one) - distance(other))[0]?.at
}

/** A row that is nearer comes before one whose card stands more exactly below. */
const ROW_WEIGHT = 1000
