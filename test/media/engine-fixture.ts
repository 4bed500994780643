/** A streaming engine with an agent on a private bus, for the streaming tests. */
import type { Test } from 'tap'
import { createMemoryTextReader } from '../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../src/app/derived-media/text-reading.ts'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTextTracks } from '../../src/adapters/ffmpeg/text-tracks.ts'
import { createMedia } from '../../src/adapters/ffmpeg/media.ts'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createMemoryLeases } from '../../src/adapters/memory/leases.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../src/adapters/node/ids.ts'
import { createStreamingEngine, type StreamingEngineOptions, type StreamSource } from '../../src/app/streaming/engine.ts'
import { isUnavailable } from '../../src/app/streaming/segments/unavailable.ts'
import { mediaFfmpeg } from '../../src/wiring/media-ffmpeg.ts'
import { segmentCount } from '../../src/domain/streaming/segment-grid.ts'
import { parseQuality, qualityName, type Quality } from '../../src/domain/streaming/stream-name.ts'
import type { Media } from '../../src/ports/media.ts'
import { createTranscodeAgent } from '../../transcode-agent/agent.ts'
import { programs } from '../fixtures/media-files.ts'
import { patience } from './patience.ts'

export interface EngineFixtureOptions extends Partial<
  Pick<StreamingEngineOptions, 'memoryCacheBytes' | 'answerWithinMs' | 'clock' | 'fonts' | 'media' | 'texts'>
> {
  readonly slots?: number
  /** Replaces the ffmpeg on the PATH. */
  readonly ffmpegPath?: string
}

export type EngineFixture = Awaited<ReturnType<typeof openEngineFixture>>

/** Closed with the test. */
export async function openEngineFixture(t: Test, options: EngineFixtureOptions = {}) {
  const { ffmpeg, ffprobe } = await programs
  const folder = mkdtempSync(join(tmpdir(), 'marquee-studio-'))
  const problems: unknown[] = []
  const clock = options.clock ?? createSystemClock()
  const ids = createSystemIds()
  const bus = createLocalBus({ clock, onError: (onError) => problems.push(onError) })
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: folder })
  const texts = options.texts ?? createTextTracks({ clock, folder: join(folder, 'texts'), start: mediaFfmpeg(ffmpeg) })
  const agent = createTranscodeAgent({
    bus,
    clock,
    agentId: 'here',
    ffmpegPath: options.ffmpegPath ?? ffmpeg,
    slots: options.slots ?? 4,
  })
  const engine = createStreamingEngine({
    bus,
    clock,
    ids,
    leases: createMemoryLeases({ clock }),
    media,
    texts,
    reader: createMemoryTextReader(textReading),
    node: 'test',
    signSource: () => '',
    answerWithinMs: 30_000,
    ...options,
  })
  // The clock's timers keep no process alive: a test that waits for nothing else would end.
  const awake = setInterval(() => undefined, 1_000)
  let viewers = 0
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    clearInterval(awake)
    await engine.close()
    await agent.close()
    await bus.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const closeOnce = (): Promise<void> => (closing ??= close())
  t.teardown(closeOnce)

  return {
    bus,
    clock,
    engine,
    agent,
    media,
    problems,
    source: (path: string) => sourceAt(media, path),
    /** Segments by number, fetched in the given order, and returned in it. */
    async fetch(source: StreamSource, quality: Quality, order: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
      const segments = new Map<number, Uint8Array>()
      const viewer = `viewer-${viewers++}`
      for (const segment of order) {
        const signal = patience(`segment ${segment} of ${qualityName(quality)}`)
        segments.set(segment, bytesOf(await engine.segment(source, { quality, segment }, { viewer, signal })))
      }
      return segments
    },
    async init(source: StreamSource, quality: Quality): Promise<Uint8Array> {
      const signal = patience(`init segment of ${qualityName(quality)}`)
      return bytesOf(await engine.init(source, quality, { viewer: `viewer-${viewers++}`, signal }))
    },
    close: closeOnce,
  }
}

/** A film file as a scan would have found it. */
export async function sourceAt(media: Media, path: string): Promise<StreamSource> {
  const fingerprint = (await media.fingerprint(path)).current
  const { size, mtimeMs } = statSync(path)
  const stamp = { sizeBytes: size, modifiedAtMs: mtimeMs }
  return { fileId: fingerprint, path, fingerprint, stamp, media: await media.probe(path, patience(`probe of ${path}`)), sidecars: [] }
}

/** The first frame of the first quality in the master playlist. */
export async function firstFrame(fixture: EngineFixture, source: StreamSource) {
  return renditionNamed(fixture, source, (await fixture.engine.plan(source)).video[0]?.name ?? '')
}

/** As it is planned when the film's index is there. */
export async function renditionNamed(fixture: EngineFixture, source: StreamSource, name: string) {
  await fixture.media.index(source.path, source.fingerprint, patience(`index of ${source.path}`))
  const plan = await fixture.engine.plan(source)
  const rendition = [...plan.video, ...plan.audio].find((one) => one.name === name)
  if (!rendition) throw new Error(`No ${name} among ${[...plan.video, ...plan.audio].map((one) => one.name).join()}`)
  return { plan, rendition, quality: qualityNamed(name), count: segmentCount(rendition.grid) }
}

export function qualityNamed(name: string): Quality {
  const quality = parseQuality(name)
  if (!quality) throw new Error(`${name} is no quality`)
  return quality
}

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** The same order each time, far from sorted. */
export function shuffled(values: readonly number[]): readonly number[] {
  return values
    .map((value) => [(value * 7919 + 13) % 101, value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
}

export function bytesOf(answer: Awaited<ReturnType<Awaited<ReturnType<typeof createStreamingEngine>>['segment']>>): Uint8Array {
  if (answer === undefined) throw new Error('No such segment')
  if (isUnavailable(answer)) throw new Error(answer.unavailable)
  return answer
}
