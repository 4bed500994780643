import t from 'tap'
import { copyGrid, evenGrid } from '../../src/domain/streaming/segment-grid.ts'
import { createAudioSegmenter } from '../../transcode-agent/audio-segmenter.ts'
import type { Cut } from '../../transcode-agent/segmenter.ts'
import type { Fragment } from '../../transcode-agent/fragment.ts'
import { opusLengths } from '../../transcode-agent/opus-packet.ts'
import { silentFrame } from '../../transcode-agent/silence.ts'
import { createVideoSegmenter } from '../../transcode-agent/video-segmenter.ts'
import { segmentTable } from '../fixtures/segment-table.ts'

const timescale = 1_000

/** A group of pictures: the first is a keyframe; each frame's only byte is its index. */
const group = (...pts: readonly number[]): Fragment => ({
  samples: pts.map((time, index) => ({ pts: time, duration: 40, sizeBytes: 1, key: index === 0 })),
  data: [Uint8Array.from(pts, (_, index) => index)],
})

const shown = (cuts: readonly Cut[]) =>
  cuts.map((cut) => (cut.type === 'missing' ? cut : [cut.segment, segmentTable(cut.bytes).samples.map(({ pts }) => pts)]))

t.test('a group belongs to the segment that holds its keyframe, give or take rounding', async (t) => {
  const segmenter = createVideoSegmenter({
    timescale,
    zeroMs: 500,
    grid: copyGrid([0, 4_000, 8_000.4], 12_000),
    startSegment: 0,
    cadence: null,
  })
  const cuts = [group(500, 540), group(2_500), group(4_500), group(8_500, 8_540)].flatMap((one) => segmenter.push(one))
  t.strictSame(shown([...cuts, ...segmenter.end()]), [
    [0, [0, 40, 2_000]],
    [1, [4_000]],
    [2, [8_000, 8_040]],
  ])
})

t.test('frames that lead an open group stay with it, and the segment before ends where they begin', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: copyGrid([0, 4_080], 8_000), startSegment: 0, cadence: null })
  const [first] = segmenter.push(group(0, 40)).concat(segmenter.push(group(4_080, 4_000, 4_040)))
  const [second] = segmenter.end()
  t.equal(first?.type === 'segment' && segmentTable(first.bytes).end, 3_999)
  const table = segmentTable(second?.type === 'segment' ? second.bytes : new Uint8Array())
  t.strictSame([table.start, table.samples.map(({ pts }) => pts)], [3_999, [4_080, 4_000, 4_040]])
})

t.test('within a segment of H.264 players begin at IDR pictures alone; its first frame they are given in any case', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: copyGrid([0], 4_000), startSegment: 0, cadence: null, isAvc: true })
  const [recovery, idr, parameters] = [0x61, 0x65, 0x67]
  const sample = (...types: readonly number[]) => Buffer.concat(types.map((type) => Buffer.from([0, 0, 0, 2, type, 0x80])))
  const keyframe = (pts: number, bytes: Buffer): Fragment => ({
    samples: [{ pts, duration: 1_000, sizeBytes: bytes.byteLength, key: true }],
    data: [bytes],
  })
  segmenter.push(keyframe(0, sample(parameters, recovery)))
  segmenter.push(keyframe(1_000, sample(recovery)))
  segmenter.push(keyframe(2_000, sample(parameters, idr)))
  segmenter.push(keyframe(3_000, Buffer.from([1])))
  const [cut] = segmenter.end()
  const table = segmentTable(cut?.type === 'segment' ? cut.bytes : new Uint8Array())
  t.strictSame(
    table.samples.map(({ key }) => key),
    [true, false, true, true],
  )
})

t.test('a film that begins inside an open group starts with its first keyframe', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: evenGrid(2_000), startSegment: 0, cadence: null })
  segmenter.push(group(80, 0, 40, 120))
  const [cut] = segmenter.end()
  const table = segmentTable(cut?.type === 'segment' ? cut.bytes : new Uint8Array())
  t.strictSame(
    table.samples.map(({ pts, bytes }) => [pts, bytes[0]]),
    [
      [80, 0],
      [120, 3],
    ],
  )
})

t.test('groups before the wanted segment are dropped, and a hole is reported', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: evenGrid(12_000), startSegment: 2, cadence: null })
  const cuts = [group(1_000), group(2_000), group(4_000), group(8_000)].flatMap((one) => segmenter.push(one))
  t.strictSame(shown([...cuts, ...segmenter.end()]), [
    [2, [4_000]],
    { type: 'missing', from: 3, through: 3 },
    [4, [8_000]],
    { type: 'missing', from: 5, through: 5 },
  ])
})

t.test('times that a container rounded are put right, others are left', async (t) => {
  const cadence = { numerator: 24_000, denominator: 1_001, startMs: 0 }
  const segmenter = createVideoSegmenter({ timescale: 90_000, zeroMs: 0, grid: evenGrid(2_000), startSegment: 0, cadence })
  segmenter.push(group(0, 42 * 90, 83 * 90, 110 * 90))
  t.strictSame(shown(segmenter.end()), [[0, [0, 3_754, 7_508, 9_900]]])
})

const frames = (...pts: readonly number[]): Fragment => ({
  samples: pts.map((time) => ({ pts: time, duration: 1_024, sizeBytes: 1, key: true })),
  data: [Uint8Array.from(pts, () => 9)],
})
const SOUND = { timescale: 48_000, zeroMs: 0, grid: evenGrid(6_000), frameTicks: 1_024 }
const COPIED = { type: 'copied', anchorMs: 0, silence: silentFrame(2) } as const

t.test('made sound is cut on whole frames, its run-up and repeated frames are dropped', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 1, frames: { type: 'made' } })
  const boundary = 94 * 1_024
  const cuts = segmenter.push(frames(boundary - 2_048, boundary - 1_024, boundary, boundary + 1_024, boundary + 1_024, 188 * 1_024))
  t.strictSame(shown(cuts), [[1, [boundary, boundary + 1_024]]])
})

t.test('sound whose clock runs on after the end of the film is left out', async (t) => {
  const [lastFrame, jump] = [Math.floor((6_000 * 48) / 1_024) * 1_024, 900_000 * 48]
  for (const frames_ of [COPIED, { type: 'made', silence: silentFrame(2) }] as const) {
    const ends = [[], [lastFrame + 2_048], [jump, jump + 1_024]].map((more) => {
      const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 2, frames: frames_ })
      const cuts = [frames(188 * 1_024), frames(lastFrame, ...more)].flatMap((one) => segmenter.push(one))
      const [last] = [...cuts, ...segmenter.end()].slice(-1)
      return last?.type === 'segment' ? segmentTable(last.bytes) : undefined
    })
    t.strictSame(ends[1], ends[0], frames_.type)
    t.strictSame(ends[2], ends[0], frames_.type)
    t.ok((ends[0]?.end ?? Infinity) <= 6_000 * 48 + 1_024)
  }
})

t.test('a group may hold any number of frames', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: evenGrid(2_000), startSegment: 0, cadence: null })
  segmenter.push(group(...Array.from({ length: 10_000 }, (_, index) => index)))
  const [sample] = group(0).samples
  const samples = Array.from({ length: 200_000 }, () => ({ ...sample!, key: false }))
  t.doesNotThrow(() => segmenter.push({ samples, data: [new Uint8Array(samples.length)] }))
})

t.test('copied sound keeps the place of its frames, with the rounding of milliseconds taken out', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 0, frames: COPIED })
  segmenter.push(frames(0, 21 * 48, 43 * 48, 64 * 48))
  const [cut] = segmenter.end()
  const times = cut?.type === 'segment' ? segmentTable(cut.bytes).samples.map(({ pts }) => pts) : []
  t.strictSame(times.slice(0, 4), [0, 1_024, 2_048, 3_072])
})

t.test('segments without sound are filled with silence, up to the end of the film', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 0, frames: COPIED })
  const cuts = [...segmenter.push(frames(100 * 1_024)), ...segmenter.end()].map((cut) =>
    cut.type === 'segment' ? segmentTable(cut.bytes) : undefined,
  )
  t.strictSame(
    cuts.map((table) => table?.samples.length),
    [94, 94, 93],
  )
  t.equal(cuts[0]?.samples[0]?.bytes.length, 6)
  t.strictSame(
    cuts.slice(1).map((table) => table?.start),
    cuts.slice(0, -1).map((table) => table?.end),
  )
  t.ok(Math.abs(cuts[2]!.end - 6 * 48_000) < 1_024)
})

t.test('a segment with a hole in its audio is filled in the same places, regardless of the run that makes it', async (t) => {
  const pts = [...Array.from({ length: 90 }, (_, n) => n * 1_024), ...Array.from({ length: 180 }, (_, n) => (150 + n) * 1_024 + 300)]
  const from = (startSegment: number) => {
    const segmenter = createAudioSegmenter({ ...SOUND, startSegment, frames: COPIED })
    return [...segmenter.push(frames(...pts)), ...segmenter.end()].flatMap((cut) => (cut.type === 'segment' ? [cut] : []))
  }
  const whole = from(0)
  for (const segment of [1, 2]) t.strictSame(from(segment)[0], whole[segment], `from ${segment}`)
  const tables = whole.map(({ bytes }) => segmentTable(bytes))
  const lengths = tables.flatMap(({ samples }) => samples.map(({ duration }) => duration))
  t.strictSame(
    lengths.filter((length) => length !== 1_024),
    [1_324],
    'one frame takes up what is no whole frame',
  )
  t.strictSame(
    tables.slice(1).map(({ start }) => start),
    tables.slice(0, -1).map(({ end }) => end),
  )
})

t.test('a gap between frames that state different lengths is filled, and their own lengths are kept', async (t) => {
  const [short, long, silent] = [0xfc, 0x1c, 0xf8]
  const fragment: Fragment = {
    samples: [0, 960, 1_920, 7_700].map((pts) => ({ pts, duration: 960, sizeBytes: 1, key: true })),
    data: [Uint8Array.of(short, short, long, long)],
  }
  const opus = { ...SOUND, grid: evenGrid(2_000), frameTicks: 960, stated: opusLengths(48_000) }
  const frames = { ...COPIED, silence: Uint8Array.of(silent) }
  const segmenter = createAudioSegmenter({ ...opus, startSegment: 0, frames })
  const [cut] = [...segmenter.push(fragment), ...segmenter.end()]
  const { samples } = segmentTable(cut?.type === 'segment' ? cut.bytes : new Uint8Array())
  t.strictSame(
    samples.slice(0, 7).map(({ pts, bytes }) => [pts, bytes[0]]),
    [
      [0, short],
      [960, short],
      [1_920, long],
      [4_800, silent],
      [5_760, silent],
      [6_720, silent],
      [7_700, long],
    ],
  )
})

t.test('the last frame of made sound lasts no longer than the film', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 2, frames: { type: 'made' } })
  segmenter.push(frames(280 * 1_024, 281 * 1_024))
  const [cut] = segmenter.end()
  t.equal(cut?.type === 'segment' && segmentTable(cut.bytes).end, 6 * 48_000)
})

t.test('the last frame of a film stays until the sound has ended', async (t) => {
  const segmenter = createVideoSegmenter({ timescale, zeroMs: 0, grid: evenGrid(3_000, 2_080), startSegment: 0, cadence: null })
  segmenter.push(group(0, 2_000, 2_040))
  const [cut] = segmenter.end()
  const table = segmentTable(cut?.type === 'segment' ? cut.bytes : new Uint8Array())
  t.strictSame([table.end, table.samples.at(-1)?.duration], [3_000, 960])
})

t.test('the last frame of sound with SBR stays until the end of the film, with silence only where a segment has no sound', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 0, frames: { ...COPIED, sbr: true } })
  const cuts = [...segmenter.push(frames(0, 200 * 1_024, 201 * 1_024)), ...segmenter.end()].flatMap((cut) =>
    cut.type === 'segment' ? [segmentTable(cut.bytes)] : [],
  )
  t.strictSame(
    cuts.map(({ samples }) => samples.filter(({ bytes }) => bytes.length === 6).length),
    [93, 94, 12],
  )
  t.equal(cuts[2]?.samples.at(-1)?.pts, 201 * 1_024)
  t.equal(cuts[2]?.end, 6 * 48_000)
})

t.test('audio for which no silence is known has holes, and reports them', async (t) => {
  const segmenter = createAudioSegmenter({ ...SOUND, startSegment: 0, frames: { ...COPIED, silence: undefined } })
  segmenter.push(frames(0))
  t.strictSame(shown(segmenter.end()).slice(1), [
    { type: 'missing', from: 1, through: 1 },
    { type: 'missing', from: 2, through: 2 },
  ])
})
