/** Runs that read from their first keyframe make the same segments as runs that read the group before, encoded and copied. */
import { execa } from 'execa'
import t, { type Test } from 'tap'
import type { StreamPlan } from '../../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import { seekFor } from '../../../src/domain/streaming/seek.ts'
import { segmentCount, startOf } from '../../../src/domain/streaming/segment-grid.ts'
import { clip, type ClipName } from '../../fixtures/clips.ts'
import { testPrograms } from '../../fixtures/media-files.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { numbers, openEngineFixture } from '../engine-fixture.ts'
import { patience } from '../patience.ts'
import { runFrom } from '../run-from.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { oddFile, type OddFile } from './odd-files.ts'

const ROUNDING_MS = 1

/** With reordered frames and without, whole milliseconds and exact times, even and irregular ones, H.264 and VP9. */
const CLIPS: readonly ClipName[] = ['b-frames.mkv', 'late-mp3.mkv', 'negative-offsets.mp4', 'variable.mp4', 'drift.mkv', 'hdr-vp9.mkv']

for (const name of CLIPS) {
  t.test(name, async (t) => {
    const path = await clip(name)
    const plan = await planOf(t, path)
    for (const rendition of [plan.video[0]!, plan.video.at(-1)!]) await comparesRuns(t, { path, plan, rendition })
  })
}

/** Films of which ffmpeg would land on a later keyframe, or whose segments start with a repeat of an earlier frame. */
const ELSEWHERE: readonly OddFile[] = ['thinning.mp4', 'after-beats.mp4']

for (const name of ELSEWHERE) {
  t.test(`${name}: a segment is the same from wherever a run starts`, async (t) => {
    const path = await oddFile(name)
    const plan = await planOf(t, path)
    for (const rendition of [plan.video[0]!, plan.video.at(-1)!]) {
      const whole = framesOf((await runFrom({ path, plan, rendition, from: 0 })).segments)
      for (const from of numbers(segmentCount(rendition.grid))) {
        const { segments } = await runFrom({ path, plan, rendition, from, count: 2 })
        t.strictSame(framesOf(segments).slice(0, 2), whole.slice(from, from + 2), `${rendition.name} from ${from}`)
      }
    }
  })
}

async function planOf(t: Test, path: string): Promise<StreamPlan> {
  const fixture = await openEngineFixture(t)
  const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(path, source.fingerprint, patience(`index of ${path}`))
  return fixture.engine.plan(source)
}

interface Subject {
  readonly path: string
  readonly plan: StreamPlan
  readonly rendition: Rendition
}

async function comparesRuns(t: Test, { path, plan, rendition }: Subject): Promise<void> {
  const landing = numbers(segmentCount(rendition.grid)).filter((segment) => lands(plan, rendition, segment))
  t.ok(landing.length > 0, `${rendition.name}: some segments start with a closed keyframe`)
  for (const from of landing) {
    const what = `${rendition.name} from ${from}`
    const seekMs = seekFor(plan, rendition, from)!
    const landedMs = await landingOf(path, rendition.stream, seekMs)
    t.ok(Math.abs(landedMs - plan.zeroMs - startOf(rendition.grid, from)) <= ROUNDING_MS, `${what}: ffmpeg lands on it`)
    const landed = await runFrom({ path, plan, rendition, from, count: 2 })
    const earlier = await runFrom({ path, plan: { ...plan, landingsMs: [] }, rendition, from, count: 2 })
    t.strictSame(framesOf(landed.segments), framesOf(earlier.segments), `${what}: the same frames`)
    if (rendition.output.type === 'copy-video') t.strictSame(landed.segments, earlier.segments, `${what}: the same bytes`)
  }
}

function lands(plan: StreamPlan, rendition: Rendition, segment: number): boolean {
  const seekMs = seekFor(plan, rendition, segment)
  return seekMs !== null && seekMs > plan.zeroMs + startOf(rendition.grid, segment)
}

/** Time of the first packet that ffmpeg reads after this seek. */
async function landingOf(path: string, stream: number, seekMs: number): Promise<number> {
  const { ffmpeg } = await testPrograms()
  const seek = ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', String(seekMs / 1000), '-i', path, '-map', `0:${stream}`]
  const read = ['-copyts', '-c', 'copy', '-frames:v', '1', '-avoid_negative_ts', 'disabled', '-f', 'framecrc', '-']
  const { stdout } = await execa(ffmpeg, ['-v', 'error', '-nostdin', ...seek, ...read])
  const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)$/m.exec(stdout) ?? []
  const pts = stdout.split('\n').at(-1)?.split(',')[2]
  return (Number(pts) * 1000 * Number(numerator)) / Number(denominator)
}

const framesOf = (segments: ReadonlyMap<number, Uint8Array>) =>
  [...segments].map(([segment, bytes]) => {
    const { start, end, samples } = segmentTable(bytes)
    return { segment, start, end, beginsWithKey: samples[0]?.key, shown: samples.map(({ pts }) => pts).toSorted((a, b) => a - b) }
  })
