import t from 'tap'
import { segmentAt, startOf } from '../../../src/domain/streaming/segment-grid.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { clip, type ClipName } from '../../fixtures/clips.ts'
import { segmentTable, timescaleOf } from '../../fixtures/segment-table.ts'
import { numbers, openEngineFixture, renditionNamed } from '../engine-fixture.ts'

const CROSSED: readonly ClipName[] = ['b-frames.mkv', 'variable.mp4', 'broadcast.ts', 'open-gop.mkv', 'hevc-cra.mkv']
for (const name of CROSSED) {
  t.test(`${name}: a player may go from the copy to a rung and back at each boundary of the copy, with nothing missing`, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(await clip(name))), options: { capabilities: EVERY_CODEC } }
    const read = async (quality: string) => {
      const { rendition, quality: wanted, count } = await renditionNamed(fixture, source, quality)
      const segments = await fixture.fetch(source, wanted, numbers(count))
      const tables = numbers(count).map((segment) => segmentTable(segments.get(segment)!))
      const scale = timescaleOf(await fixture.init(source, wanted))
      const spans = tables.map(({ start, end, samples }) => ({
        start: start / scale,
        end: end / scale,
        shown: samples.map(({ pts }) => pts / scale).sort((a, b) => a - b),
      }))
      return { grid: rendition.grid, spans }
    }
    const [copy, rung] = [await read('original'), await read('240p')]
    t.ok(rung.spans.length > copy.spans.length)
    for (const segment of numbers(copy.spans.length).slice(1)) {
      const part = segmentAt(rung.grid, startOf(copy.grid, segment))
      t.equal(startOf(rung.grid, part), startOf(copy.grid, segment), 'a boundary of both')
      const [before, after] = [copy.spans[segment - 1]!, copy.spans[segment]!]
      const [left, right] = [rung.spans[part - 1]!, rung.spans[part]!]
      for (const [one, other] of [
        [before, right],
        [left, after],
      ] as const) {
        t.ok(Math.abs(one.end - other.start) < 0.0015, `${one.end} to ${other.start}`)
        t.ok(one.shown.at(-1)! < other.shown[0]!, 'no frame twice')
      }
      t.ok(Math.abs(right.shown[0]! - after.shown[0]!) < 0.0015, 'both begin with the same frame')
    }
  })
}
