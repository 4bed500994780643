import { execa } from 'execa'
import t from 'tap'
import { programs } from '../films.ts'
import { clip, type ClipName } from './clips.ts'
import { segmentTable, timescaleOf } from './segment-table.ts'
import { numbers, openStudio, renditionNamed, shuffled, type Studio } from './studio.ts'

async function sourceTimes(path: string): Promise<readonly number[]> {
  const { ffprobe } = await programs
  const entries = ['-v', 'error', '-select_streams', 'V:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]
  // A static ffprobe crashes on a transport stream when it loads the machine's character sets.
  const { stdout } = await execa(ffprobe, entries, { env: { GCONV_PATH: '/nonexistent' } })
  return stdout
    .split('\n')
    .map(Number.parseFloat)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
}

async function inOrderAndNot(path: string, name: string) {
  const [one, other] = [await openStudio(), await openStudio()]
  const read = async (studio: Studio, order: (all: readonly number[]) => readonly number[]) => {
    const source = await studio.source(path)
    const { plan, quality, count } = await renditionNamed(studio, source, name)
    const segments = await studio.fetch(source, quality, order(numbers(count)))
    return { plan, segments, count, init: await studio.init(source, quality), problems: studio.problems }
  }
  try {
    return [await read(one, (all) => all), await read(other, shuffled)] as const
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

const tablesOf = (segments: ReadonlyMap<number, Uint8Array>) => numbers(segments.size).map((n) => segmentTable(segments.get(n)!))

const COPIED: readonly ClipName[] = ['b-frames.mkv', 'open-gop.mkv', 'variable.mp4', 'broadcast.ts']
for (const name of COPIED) {
  t.test(`${name}: a copied picture has the same bytes whatever order its segments are asked in`, async (t) => {
    const path = await clip(name)
    const [first, second] = await inOrderAndNot(path, 'original')
    t.ok(first.count >= 3, `only ${first.count} segments`)
    for (const n of numbers(first.count)) t.ok(Buffer.from(first.segments.get(n)!).equals(second.segments.get(n)!), `segment ${n}`)
    t.ok(Buffer.from(first.init).equals(second.init), 'init')
    t.strictSame([first.problems, second.problems], [[], []])

    const tables = tablesOf(first.segments)
    const timescale = timescaleOf(first.init)
    t.equal(tables[0]?.start, 0, 'the first segment begins at zero')
    t.strictSame(
      tables.slice(1).map((table) => table.start),
      tables.slice(0, -1).map((table) => table.end),
      'each begins where the one before ends',
    )
    t.ok(
      tables.every(({ samples }) => samples[0]?.key),
      'each begins with a keyframe',
    )
    t.ok(
      tables.every(({ start, samples }) => samples.every(({ dts, pts }) => dts >= start && dts <= pts)),
      'decode times are squeezed',
    )
    t.ok(
      tables.every(({ end, samples }) => samples.every(({ pts, duration }) => duration > 0 && pts + duration <= end)),
      'no picture outlasts its segment',
    )

    const led = tables.filter(({ samples }) => samples.some(({ pts }) => pts < samples[0]!.pts)).length
    t.equal(led > 0, name === 'open-gop.mkv', 'pictures that lead their keyframe are in open groups only')

    const shown = tables.flatMap(({ samples }) => samples.map(({ pts }) => pts / timescale)).sort((a, b) => a - b)
    const wanted = (await sourceTimes(path)).map((seconds) => seconds - first.plan.zeroMs / 1000)
    t.equal(shown.length, wanted.length, 'every picture of the film, once')
    t.ok(
      shown.every((seconds, index) => Math.abs(seconds - wanted[index]!) < 0.0011),
      'at its own time',
    )
  })
}

const MADE: readonly (readonly [ClipName, string])[] = [
  ['b-frames.mkv', '240p'],
  ['variable.mp4', '240p'],
  ['open-gop.mkv', '240p'],
  ['broadcast.ts', '240p'],
]
for (const [name, quality] of MADE) {
  t.test(`${name}: a transcoded picture is cut in the same places whatever order its segments are asked in`, async (t) => {
    const path = await clip(name)
    const [first, second] = await inOrderAndNot(path, quality)
    t.ok(Buffer.from(first.init).equals(second.init), 'one init segment fits all runs')
    const [a, b] = [tablesOf(first.segments), tablesOf(second.segments)]
    const times = (tables: typeof a) =>
      tables.map(({ start, end, samples }) => [start, end, samples.map(({ pts }) => pts).sort((x, y) => x - y)])
    t.strictSame(times(a), times(b), 'the same pictures in each segment')
    t.strictSame(
      b.slice(1).map((table) => table.start),
      b.slice(0, -1).map((table) => table.end),
      'contiguous',
    )
    t.ok(
      b.every(({ samples }) => samples[0]?.key),
      'each begins with a keyframe',
    )

    const shown = b.flatMap(({ samples }) => samples.map(({ pts }) => pts / 90_000)).sort((x, y) => x - y)
    const wanted = (await sourceTimes(path)).map((seconds) => seconds - first.plan.zeroMs / 1000)
    t.equal(shown.length, wanted.length, 'every picture of the film, once')
    t.ok(
      shown.every((seconds, index) => Math.abs(seconds - wanted[index]!) < 0.0011),
      'at its own time',
    )
  })
}

t.test('copied sound has the same bytes whatever order its segments are asked in', async (t) => {
  for (const name of ['b-frames.mkv', 'broadcast.ts', 'late-sound.mp4'] as const) {
    const [first, second] = await inOrderAndNot(await clip(name), 'audio-0')
    for (const n of numbers(first.count)) t.ok(Buffer.from(first.segments.get(n)!).equals(second.segments.get(n)!), `${name} segment ${n}`)
    const tables = tablesOf(first.segments)
    t.strictSame(
      tables.slice(1).map((table) => table.start),
      tables.slice(0, -1).map((table) => table.end),
      `${name} is contiguous`,
    )
    const lengths = tables.flatMap(({ samples }) => samples.map(({ duration }) => duration))
    t.equal(lengths.filter((length) => length !== 1024).length < 3, true, `${name}: frames of 1024 samples but where sound begins and ends`)
  }
})

t.test('sound that begins late and ends early is silent before and after, with nothing missing', async (t) => {
  const [{ segments, plan }] = await inOrderAndNot(await clip('late-sound.mp4'), 'audio-0')
  const tables = tablesOf(segments)
  const last = tables.at(-1)!
  t.ok(tables[0]!.start < 1024, 'it begins with the film')
  t.ok(Math.abs(last.end / 48 - plan.durationMs) < 30, `it ends with the film: ${last.end / 48} of ${plan.durationMs}`)
  t.equal(tables[0]!.samples[0]!.bytes.length, 6, 'a frame of silence')
  t.ok(
    tables[2]!.samples.some(({ bytes }) => bytes.length > 30),
    'sound in the middle',
  )
})

t.test('sound that is made lies on one grid of frames, whatever order its segments are asked in', async (t) => {
  const [first, second] = await inOrderAndNot(await clip('mp3.mkv'), 'audio-0-aac')
  const [a, b] = [tablesOf(first.segments), tablesOf(second.segments)]
  const starts = (tables: typeof a) => tables.map(({ start, samples }) => [start, samples.length])
  t.strictSame(starts(a), starts(b))
  t.ok(
    b.flatMap(({ samples }) => samples).every(({ pts }) => pts % 1024 === 0),
    'every frame on the grid',
  )
  t.strictSame(
    b.slice(1).map((table) => table.start),
    b.slice(0, -1).map((table) => table.end),
    'contiguous',
  )
})
