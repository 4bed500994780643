/**
 * Verifies the segments of a clip: they obey the rules and have the film's content. In whatever order they are requested, each equals that
 * of the run from the film's start. The order comes from a seed; a failure names the seed that repeats it (`MARQUEE_TEST_SEED=3`);
 * `MARQUEE_TEST_SEEDS=20` runs twenty.
 */
import type { Test } from 'tap'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import type { StreamPlan } from '../../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { randomBelow, seeds, wandering, type RandomBelow } from '../../fixtures/random-below.ts'
import { clip, type ClipName } from '../../fixtures/clips.ts'
import { fetchFrom } from './engine-fetch.ts'
import { patience } from '../patience.ts'
import { runFrom } from '../run-from.ts'
import { compareWithSource } from './source-proof.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { numbers, openEngineFixture, qualityNamed, type EngineFixture } from '../engine-fixture.ts'
import { decodedFrames, sourceFrames } from './media-facts.ts'
import { fetchServed, type Served } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

/** So small that segments are soon evicted, and made again by another run. */
const FORGETFUL_BYTES = 150_000
/** Timeout of tests: a machine may have much else to do. */
const PATIENCE_MS = 60_000

interface OpenedFile {
  readonly source: StreamSource
  readonly plan: StreamPlan
  readonly renditions: readonly Rendition[]
}

interface Made {
  readonly init: Uint8Array
  readonly segments: readonly Uint8Array[]
}

async function open(fixture: EngineFixture, path: string): Promise<OpenedFile> {
  const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(path, source.fingerprint, patience(`index of ${path}`))
  const plan = await fixture.engine.plan(source)
  return { source, plan, renditions: [...plan.video, ...plan.audio] }
}

/** Copies, audio, and the lowest rung; the others differ from it only in size. */
const isLargerRung = ({ plan }: OpenedFile) => {
  const rungs = plan.video.filter(({ method }) => method === 'transcode').map(({ name }) => name)
  return (name: string) => rungs.includes(name) && name !== rungs.at(-1)
}

async function wandered(
  fixture: EngineFixture,
  { source }: OpenedFile,
  { name, order }: { readonly name: string; readonly order: readonly number[] },
) {
  const quality = qualityNamed(name)
  const segments = await fixture.fetch(source, quality, order)
  return { init: await fixture.init(source, quality), segments: numbers(segments.size).map((segment) => segments.get(segment)!) }
}

const isVideo = ({ output }: Rendition): boolean => output.type.endsWith('video')
const copies = ({ output }: Rendition): boolean => output.type.startsWith('copy')

/** The parts that must not depend on the run: all of a copy; for a transcode, everything except the encoder's choices. */
function essence(rendition: Rendition, bytes: Uint8Array) {
  if (copies(rendition)) return Buffer.from(bytes).toString('base64')
  const { start, end, samples } = segmentTable(bytes)
  return { start, end, begins: samples[0]?.key, shown: samples.map(({ pts }) => pts).toSorted((a, b) => a - b) }
}

function compare(t: Test, rendition: Rendition, { of, as, told }: { readonly of: Made; readonly as: Made; readonly told: string }): void {
  t.ok(Buffer.from(of.init).equals(as.init), `${rendition.name}: one init segment fits all runs, ${told}`)
  const unlike = numbers(as.segments.length).filter(
    (segment) => JSON.stringify(essence(rendition, of.segments[segment]!)) !== JSON.stringify(essence(rendition, as.segments[segment]!)),
  )
  t.strictSame(unlike, [], `${rendition.name}: every segment is that of the run from the start, ${told}`)
}

interface Start extends Pick<AnyOrder, 'making'> {
  readonly rendition: Rendition
  readonly whole: Made
  readonly chance: RandomBelow
}

/** Runs that start in the middle, each for two segments: the first and its join. */
async function startsAnywhere(t: Test, mediaFile: OpenedFile, { rendition, whole, chance, making }: Start) {
  const count = segmentCount(rendition.grid)
  const from = chance(count)
  const run = await runFrom({ path: mediaFile.source.path, plan: mediaFile.plan, rendition, from, count: 2, ...making })
  t.ok(Buffer.from(run.init).equals(whole.init), `${rendition.name} from ${from}: the same init segment`)
  for (const segment of [from, from + 1].filter((one) => one < count)) {
    const made = run.segments.get(segment)
    t.strictSame(
      made && essence(rendition, made),
      essence(rendition, whole.segments[segment]!),
      `${rendition.name} from ${from}: ${segment}`,
    )
  }
}

/** One test per clip. */
export function proveClips(t: Test, names: readonly ClipName[]): void {
  t.jobs = 3
  for (const name of names) {
    t.test(`${name} is served as the rules want it, with all that it holds, in whatever order it is asked for`, async (t) =>
      proveMediaFile(t, await clip(name)),
    )
  }
}

/** `ffmpegPath`: replaces the one on the PATH. */
export async function proveMediaFile(t: Test, path: string, ffmpegPath?: string): Promise<void> {
  const making = ffmpegPath === undefined ? {} : { ffmpegPath }
  const steady = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...making })
  const mediaFile = await open(steady, path)
  const served = await fetchServed(fetchFrom(steady, mediaFile.source), { without: isLargerRung(mediaFile) })
  t.strictSame(verdictOn(served), [], 'no rule is broken')
  for (const { name, faults } of await compareWithSource(mediaFile.source, mediaFile.plan, served))
    t.strictSame(faults, [], `${name} holds the film`)
  for (const seed of seeds(1)) await anyOrder(t, mediaFile, { served, seed, making })
  t.strictSame(steady.problems, [])
}

interface AnyOrder {
  readonly served: Served
  readonly seed: number
  readonly making: { readonly ffmpegPath?: string }
}

async function anyOrder(t: Test, mediaFile: OpenedFile, { served, seed, making }: AnyOrder): Promise<void> {
  const told = `MARQUEE_TEST_SEED=${seed}`
  const chance = randomBelow(seed)
  const fixture = await openEngineFixture(t, { memoryCacheBytes: FORGETFUL_BYTES, answerWithinMs: PATIENCE_MS, ...making })
  const again = await open(fixture, mediaFile.source.path)
  for (const { name, initBytes, segmentBytes } of served.renditions) {
    const rendition = mediaFile.renditions.find((one) => one.name === name)!
    const whole = { init: initBytes, segments: segmentBytes }
    const made = await wandered(fixture, again, { name, order: wandering(segmentBytes.length, chance) })
    compare(t, rendition, { of: whole, as: made, told })
    await startsAnywhere(t, mediaFile, { rendition, whole, chance, making })
    if (isVideo(rendition)) await isDecoded(t, mediaFile, { rendition, made, told })
  }
  t.strictSame(fixture.problems, [], told)
}

/** A copy decodes to the same frames as the film, a transcode to the same number, without errors. */
async function isDecoded(t: Test, { source }: OpenedFile, { rendition, made, told }: { rendition: Rendition; made: Made; told: string }) {
  const { hashes, complaints } = await decodedFrames(made.init, made.segments)
  t.strictSame(complaints, [], `${rendition.name}: a decoder is content, ${told}`)
  if (copies(rendition)) t.strictSame(hashes, await sourceFrames(source.path, rendition.stream), `${rendition.name}: the film's frames`)
  const count = made.segments.reduce((sum, bytes) => sum + segmentTable(bytes).samples.length, 0)
  t.equal(hashes.length, count, `${rendition.name}: a decoder shows each frame, ${told}`)
}
