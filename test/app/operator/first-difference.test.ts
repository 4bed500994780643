import t from 'tap'
import { createFirstDifference, type Broken, type TreeState } from '../../../src/app/operator/first-difference.ts'
import { iso, NOON } from '../../fixtures/given.ts'

const NONE: TreeState = { holds: 0, changedAt: undefined, beyond: undefined, differs: undefined, lost: undefined }
const at = (n: number) => iso(NOON + n * 1000)

interface Step {
  readonly position?: number
  readonly time?: number
  readonly broken?: Broken
  readonly tree?: TreeState
}

/** Events of one stream, all correct except for a step's change. */
function firstOf(count: number, steps: Readonly<Record<number, Step>>, end: TreeState = NONE) {
  const first = createFirstDifference({ gapless: true })
  let tree = NONE
  for (let seq = 1; seq <= count; seq++) {
    const { position = seq, time = seq, broken, tree: now = tree } = steps[seq] ?? {}
    tree = now
    first.add({ position: BigInt(position), stream: 'movie-a', revision: seq - 1, at: at(time) }, broken, tree)
  }
  return first.result({ ...tree, beyond: end.beyond })
}

t.test('a log without a difference has none', (t) => {
  t.equal(firstOf(9, { 5: { tree: { ...NONE, holds: 5 } } }), null)
  t.equal(firstOf(0, {}), null)
  t.end()
})

t.test('what a chain shows is named to the event, and the first counts', (t) => {
  const altered = { kind: 'altered', expected: 3 } as const
  const found = { kind: 'altered', seq: 4, upTo: 4, stream: 'movie-a', revision: 3, at: at(4), suspect: null }
  t.strictSame(firstOf(9, { 4: { broken: altered }, 7: { broken: altered } }), found)
  t.strictSame(firstOf(9, { 4: { broken: altered }, 8: { tree: { ...NONE, changedAt: 8 } } }), found, 'more exactly than a checkpoint')
  t.match(firstOf(9, { 6: { broken: { kind: 'missing', expected: 3 } } }), { kind: 'missing', seq: 6, revision: 3 })
  t.match(firstOf(9, { 2: { broken: { kind: 'missing', expected: 3 } } }), { kind: 'swapped', seq: 2, revision: 3 }, 'it comes later')
  const gap = { broken: { kind: 'missing', expected: 4 } } as const
  t.match(firstOf(9, { 3: { position: 4 }, 4: { position: 5 }, 7: gap }), { kind: 'missing', seq: 3, stream: 'movie-a', revision: 4 })
  t.match(firstOf(9, { 3: { position: 4 }, 6: gap, 7: gap }), { kind: 'missing', seq: 3, stream: null }, 'of two streams')
  t.match(firstOf(1, { 1: { position: 2 } }), { kind: 'missing', seq: 1, stream: null, at: at(1) })
  t.end()
})

t.test('what was made to fit lies between two checkpoints', (t) => {
  const trees = { 3: { tree: { ...NONE, holds: 3 } }, 8: { tree: { ...NONE, holds: 3, changedAt: 8 } } }
  const found = { kind: 'changed', seq: 4, upTo: 8, stream: 'movie-a', revision: 3, at: at(4), suspect: null }
  t.strictSame(firstOf(12, { ...trees, 9: { broken: { kind: 'altered', expected: 8 } } }), found)
  const suspect = { seq: 5, stream: 'movie-a', revision: 4, at: at(60) }
  t.strictSame(firstOf(12, { ...trees, 2: { time: 60 }, 5: { time: 60 } }), { ...found, suspect })
  t.end()
})

t.test('a truncated end is reported', (t) => {
  const found = { kind: 'truncated', seq: 10, upTo: 40, stream: null, revision: null, at: at(9), suspect: null }
  t.strictSame(firstOf(9, {}, { ...NONE, beyond: 40 }), found)
  t.end()
})
