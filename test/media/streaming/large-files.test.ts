/** Films whose samples lie beyond 4 GB, and films of ten hours: segmented and served like small ones. */
import { stat } from 'node:fs/promises'
import t from 'tap'
import { segmentCount, startOf } from '../../../src/domain/streaming/segment-grid.ts'
import { segmentTable, timescaleOf } from '../../fixtures/segment-table.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { proveMediaFile } from './clip-proof.ts'
import { oddFile } from './odd-files.ts'

const PATIENT = { timeout: 240_000 }
const FOUR_GB = 2 ** 32
const HOURS_MS = 10 * 3_600_000
/** Frames are generated at a fixed rate, since the film has too few: a fifth of a second. */
const MOST_OFF_MS = 200

t.test('an MP4 film with offsets of 64 bits is served as the rules want it, with all that it holds', PATIENT, async (t) => {
  const path = await oddFile('far.mp4')
  t.ok((await stat(path)).size > FOUR_GB)
  await proveMediaFile(t, path)
})

t.test(
  'a film of ten hours has every segment that is asked for, copied and encoded, at its beginning, middle and end',
  PATIENT,
  async (t) => {
    const path = await oddFile('ten-hours.mkv')
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(path)
    await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(60_000))
    const plan = await fixture.engine.plan({ ...source, options: { capabilities: EVERY_CODEC } })
    t.ok(Math.abs(plan.durationMs - HOURS_MS) < 100, `${plan.durationMs} ms`)
    t.strictSame(new Set(plan.video.map(({ method }) => method)), new Set(['remux', 'transcode']))
    for (const rendition of [plan.video[0]!, plan.video.at(-1)!, ...plan.audio]) {
      const count = segmentCount(rendition.grid)
      for (const from of [0, count >> 1, count - 4, count - 2]) {
        const { init, segments, missing } = await runFrom({ path, plan, rendition, from, count: 2 })
        t.strictSame([[...segments.keys()].slice(0, 2), missing], [[from, from + 1], []], `${rendition.name} from ${from} of ${count}`)
        const { start, samples } = segmentTable(segments.get(from)!)
        const offMs = (start * 1000) / timescaleOf(init) - startOf(rendition.grid, from)
        t.ok(samples.length > 0 && Math.abs(offMs) < MOST_OFF_MS, `it begins ${offMs.toFixed(1)} ms off its boundary`)
      }
    }
  },
)
