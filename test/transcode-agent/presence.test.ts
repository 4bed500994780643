/** Every segment of every playlist has content, whatever gaps video and audio have. */
import t from 'tap'
import { alignedGrid, copyGrid, evenGrid, segmentCount, startOf, type Grid } from '../../src/domain/streaming/segment-grid.ts'
import { firstFrame } from '../../src/domain/streaming/iframe-segment.ts'
import { createAudioSegmenter } from '../../transcode-agent/audio-segmenter.ts'
import type { Cut, Segmenter } from '../../transcode-agent/segmenter.ts'
import { createVideoSegmenter } from '../../transcode-agent/video-segmenter.ts'
import { randomBelow, seeds, type RandomBelow } from '../fixtures/random-below.ts'
import { segmentTable } from '../fixtures/segment-table.ts'

const timescale = 90_000
const FRAME_MS = 40
const AUDIO_MS = 1024 / 48
const ticks = (ms: number): number => Math.round((ms * timescale) / 1000)

/** Times of video or audio frames: stretches that start, pause and end after 0 to 30 s. */
function timeline(chance: RandomBelow, stepMs: number): readonly number[] {
  const times: number[] = []
  let atMs = chance(2) * chance(30_000)
  for (let stretches = 1 + chance(4); stretches > 0; stretches--) {
    const endMs = atMs + (chance(3) === 0 ? stepMs : 1 + chance(30_000))
    for (; atMs < endMs; atMs += stepMs) times.push(atMs)
    atMs += chance(30_000)
  }
  return times
}

const fragment = (ms: number, key: boolean) => ({
  samples: [{ pts: ticks(ms), duration: ticks(FRAME_MS), sizeBytes: 4, key }],
  data: [new Uint8Array(4)],
})

/** Every listed segment exists once, in order, and ends where the next one begins. */
function whole(cuts: readonly Cut[], grid: Grid, startSegment: number): readonly string[] {
  const wanted = Array.from({ length: segmentCount(grid) - startSegment }, (_, index) => startSegment + index)
  const missing = cuts.flatMap((cut) => (cut.type === 'missing' ? [`${cut.from} to ${cut.through} are missing`] : []))
  const found = cuts.flatMap((cut) => (cut.type === 'segment' ? [cut] : []))
  const tables = found.map(({ bytes }) => segmentTable(bytes))
  const holes = tables.flatMap(({ end }, at) =>
    tables[at + 1] && end !== tables[at + 1]?.start ? [`a hole behind ${found[at]?.segment}`] : [],
  )
  const empty = tables.flatMap(({ samples }, at) => (samples.length === 0 ? [`${at} is empty`] : []))
  const order = found.map(({ segment }) => segment).join() === wanted.join() ? [] : [`not ${wanted.join()}`]
  return [...missing, ...holes, ...empty, ...order]
}

const cutAll = (cutter: Segmenter, fragments: readonly ReturnType<typeof fragment>[]): readonly Cut[] => [
  ...fragments.flatMap((one) => cutter.push(one)),
  ...cutter.end(),
]

for (const seed of seeds(20)) {
  t.test(`no segment is empty, whenever video and audio begin, pause and end (MARQUEE_TEST_SEED=${seed})`, async (t) => {
    const chance = randomBelow(seed)
    const [frames, sounds] = [timeline(chance, FRAME_MS), timeline(chance, AUDIO_MS)]
    const zeroMs = Math.min(frames[0] ?? 0, sounds[0] ?? 0)
    const fromZero = (times: readonly number[]) => times.map((ms) => ms - zeroMs)
    const [shown, heard] = [fromZero(frames), fromZero(sounds)]
    const [videoEndMs, soundEndMs] = [(shown.at(-1) ?? 0) + FRAME_MS, (heard.at(-1) ?? 0) + AUDIO_MS]
    const durationMs = Math.max(videoEndMs, soundEndMs)

    const every = 1 + chance(60)
    const isKey = (_: number, at: number) => at % every === 0
    const copy = copyGrid(shown.filter(isKey), durationMs)
    const copied = createVideoSegmenter({ timescale, zeroMs: 0, grid: copy, startSegment: 0, cadence: null })
    const copies = cutAll(
      copied,
      shown.map((ms, at) => fragment(ms, isKey(ms, at))),
    )
    t.strictSame(whole(copies, copy, 0), [], 'a copied video')
    for (const cut of copies) {
      const alone = cut.type === 'segment' ? segmentTable(firstFrame(cut.bytes)).samples : []
      t.match(alone, { length: 1, 0: { key: true } }, 'each segment has its I-frame')
    }

    for (const grid of [evenGrid(durationMs, videoEndMs), alignedGrid(copy, videoEndMs)]) {
      const startSegment = chance(segmentCount(grid))
      const filling = { isRepeat: () => false, fromFirst: true }
      const fromMs = startOf(grid, startSegment)
      const firsts = new Set(Array.from({ length: segmentCount(grid) }, (_, at) => shown.find((ms) => ms >= startOf(grid, at))))
      const wanted = shown.filter((ms) => ms >= fromMs)
      const made = cutAll(
        createVideoSegmenter({ timescale, zeroMs: 0, grid, startSegment, cadence: null, filling }),
        // For a run that starts after the last frame, its filters repeat that frame.
        wanted.length > 0 ? wanted.map((ms) => fragment(ms, firsts.has(ms))) : [fragment(fromMs + 500, true)],
      )
      t.strictSame(whole(made, grid, startSegment), [], 'an encoded video')
      for (const cut of made) if (cut.type === 'segment') t.equal(segmentTable(firstFrame(cut.bytes)).samples.length, 1)
    }

    const grid = evenGrid(durationMs)
    const startSegment = chance(segmentCount(grid))
    const common = { timescale, zeroMs: 0, grid, startSegment }
    const silence = new Uint8Array(4)
    const audio = heard.map((ms) => fragment(ms, true))
    const frameTicks = ticks(AUDIO_MS)
    const anchorMs = heard[0] ?? 0
    for (const [name, cutter] of [
      ['copied sound', createAudioSegmenter({ ...common, frameTicks, frames: { type: 'copied', anchorMs, silence } })],
      [
        'copied sound of uneven frames',
        createAudioSegmenter({ ...common, frameTicks: undefined, frames: { type: 'copied', anchorMs, silence } }),
      ],
      ['made sound', createAudioSegmenter({ ...common, frameTicks, frames: { type: 'made', silence, fromFirst: true } })],
    ] as const) {
      const cuts = cutAll(cutter, audio)
      t.strictSame(
        cuts.flatMap((cut) => (cut.type === 'missing' ? [cut] : [])),
        [],
        name,
      )
      t.equal(cuts.length, segmentCount(grid) - startSegment, name)
    }
  })
}
