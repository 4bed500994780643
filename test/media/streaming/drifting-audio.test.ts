/** Audio whose timestamps drift from its samples: after transcoding it is heard at its timestamps. */
import t, { type Test } from 'tap'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { clip } from '../../fixtures/clips.ts'
import { onsets } from './onsets.ts'
import { runFrom } from '../run-from.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture, renditionNamed } from '../engine-fixture.ts'
import { audioOfSegments } from './media-facts.ts'

const MOST_OFF_MS = 20
interface Shift {
  /** The time of a tone according to the film's timestamps, given its time in samples. */
  (ms: number): number
}

async function follows(t: Test, name: 'drift.mkv' | 'wander.mkv', shift: Shift) {
  const fixture = await openEngineFixture(t)
  const path = await clip(name)
  const source = await fixture.source(path)
  const { plan, rendition } = await renditionNamed(fixture, source, 'audio-0-aac')
  const wanted = Array.from({ length: 17 }, (_, second) => shift(second * 1000) - plan.zeroMs)
  const worst = async (from: number, count?: number) => {
    const run = await runFrom({ path, plan, rendition, from, ...(count ? { count } : {}) })
    const segments = [...run.segments.values()]
    const startMs = (segmentTable(segments[0]!).start * 1000) / 48_000
    const heard = onsets(await audioOfSegments(run.init, segments)).map((ms) => ms + startMs)
    const inside = heard.filter((ms) => ms > startMs + 30)
    t.ok(inside.length > 0, `tones from ${from}`)
    return Math.max(...inside.map((ms) => Math.min(...wanted.map((one) => Math.abs(one - ms)))))
  }
  const whole = await worst(0)
  t.ok(whole <= MOST_OFF_MS, `${whole.toFixed(1)} ms off in a run from the start`)
  for (let from = 1; from < segmentCount(rendition.grid) - 1; from += 2) {
    const off = await worst(from, 2)
    t.ok(off <= MOST_OFF_MS, `${off.toFixed(1)} ms off in a run from ${from}`)
  }
}

t.test('sound that drifts from its clock by 0.4 % is heard within 20 ms of its timestamps, wherever a run begins', async (t) => {
  await follows(t, 'drift.mkv', (ms) => ms * 1.004)
})

t.test('sound that wanders around its clock by 74 ms is heard within 20 ms of its timestamps, wherever a run begins', async (t) => {
  await follows(t, 'wander.mkv', (ms) => ms + 37 - 37 * Math.cos((2 * Math.PI * ms) / 8000))
})
