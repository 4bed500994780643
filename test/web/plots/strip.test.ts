import t from 'tap'
import type { HistoryEntry } from '../../../web/data/history-query.ts'
import type { TimelineStep } from '../../../web/data/past-queries.ts'
import { csvOf } from '../../../web/plots/csv.ts'
import { lengthIn, playedSeconds, roughStrip, rowsOf, spanOf, stripOf } from '../../../web/plots/strip-layout.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 20) + second * 1000).toISOString()
const step = (kind: TimelineStep['kind'], [since, till]: [number, number], [from, to]: [number, number]): TimelineStep => ({
  kind,
  since: at(since),
  at: at(till),
  from,
  to,
})

const TIMELINE: readonly TimelineStep[] = [
  step('play', [0, 0], [100, 100]),
  step('play', [0, 10], [100, 110]),
  step('play', [10, 20], [110, 120]),
  step('pause', [20, 80], [120, 120]),
  step('beat', [80, 90], [120, 120]),
  step('play', [90, 100], [120, 130]),
  step('seek', [100, 101], [130, 40]),
  step('play', [101, 111], [40, 50]),
  step('end', [111, 115], [50, 54]),
]

const ENTRY: HistoryEntry = {
  id: 'v',
  userId: 'u',
  movie: { id: 'm', title: 'Sintel', year: 2010 },
  libraryId: null,
  startedAt: at(0),
  endedAt: at(115),
  startPosition: 100,
  endPosition: 54,
  watchedSeconds: 44,
  percent: 10,
  completed: false,
  endReason: 'client',
  method: 'direct',
  quality: null,
  resolution: null,
  client: null,
  source: 'playback',
}

t.test('the strip has all that was played, paused and jumped, and nothing else', async (t) => {
  const strip = stripOf(TIMELINE)
  t.strictSame(
    strip.played.map(({ from, to }) => [from, to]),
    [
      [100, 120],
      [120, 130],
      [40, 54],
    ],
  )
  t.strictSame(
    strip.pauses.map(({ position, seconds }) => [position, seconds]),
    [[120, 70]],
  )
  t.strictSame(
    strip.jumps.map(({ from, to }) => [from, to]),
    [[130, 40]],
  )
  const moved = TIMELINE.filter(({ kind }) => kind !== 'seek').reduce((sum, { from, to }) => sum + to - from, 0)
  t.equal(playedSeconds(strip), moved)
})

t.test('from top to bottom the strip goes through the evening', async (t) => {
  const rows = rowsOf(stripOf(TIMELINE))
  t.strictSame(
    rows.map(({ played, pauses, jump }) => [played?.from, pauses.length, jump?.to]),
    [
      [100, 1, undefined],
      [120, 0, 40],
      [40, 0, undefined],
    ],
  )
})

t.test('a viewing without a timeline has the stretch that its entry knows', async (t) => {
  t.strictSame(roughStrip({ ...ENTRY, startPosition: 0, endPosition: 54 }).played, [{ from: 0, to: 54, since: at(0), at: at(115) }])
  t.strictSame(roughStrip({ ...ENTRY, startPosition: 54 }).played, [])
  t.equal(lengthIn(ENTRY, stripOf(TIMELINE)), 540)
  t.equal(lengthIn({ ...ENTRY, percent: 0 }, stripOf(TIMELINE)), 130)
})

t.test('no stretch leaves the picture, however short or late it is', async (t) => {
  for (const [from, to] of [
    [0, 0.01],
    [539.9, 540],
    [0, 540],
  ] as const) {
    const { x, width } = spanOf({ from, to }, 540, 300)
    t.ok(x >= 0 && width >= 2 && x + width <= 300)
  }
})

t.test('the file of a table has its numbers, and no formulas', async (t) => {
  const rows = [
    [{ text: 'Alien, "the first"' }, { text: '2 h', raw: 2.25, to: '/history' }],
    [{ text: '=1+1' }, { text: '–', raw: 0 }],
  ]
  t.equal(csvOf({ head: ['Film', 'Hours'], rows }), `Film,Hours\r\n"Alien, ""the first""",2.25\r\n'=1+1,0\r\n`)
})
