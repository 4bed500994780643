/**
 * Interlaced films: a deinterlacer uses the frames around each one. So a run that starts in the middle must output the same as the run from
 * the film's start, and both must match a bare ffmpeg.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { execa } from 'execa'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'
import { oddFile, ODD_FILES } from './odd-files.ts'

const FILMS = ODD_FILES.filter((name) => /^pal|fields/.test(name))
const OF_SET = join(mediaSet()?.movies ?? '', 'Big Buck Bunny PAL (2008)/Big Buck Bunny PAL (2008).mpg')
const [WIDTH, HEIGHT] = [96, 72]
const LEAST_DB = 28
/** An encoder's noise between two equal frames. */
const NOISE_DB = 1.5
const MOST_JOINS = 3

/** Small grey frames, in display order. */
async function framesOf(input: readonly string[], filters: readonly string[], bytes?: Uint8Array): Promise<readonly Uint8Array[]> {
  const { ffmpeg } = await programs
  const scaled = [...filters, `scale=${WIDTH}:${HEIGHT}:flags=area`, 'format=gray'].join()
  const args = ['-v', 'error', ...input, '-map', '0:v', '-vf', scaled, '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1']
  const options = { encoding: 'buffer', maxBuffer: 2 ** 28, timeout: 120_000 } as const
  const { stdout } = await execa(ffmpeg, args, bytes ? { ...options, input: bytes } : options)
  return Array.from({ length: stdout.length / (WIDTH * HEIGHT) }, (_, n) => stdout.subarray(n * WIDTH * HEIGHT, (n + 1) * WIDTH * HEIGHT))
}

function likeness(a: Uint8Array, b: Uint8Array | undefined): number {
  const squares = a.reduce((sum, value, at) => sum + (value - (b?.[at] ?? Infinity)) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (squares / a.length || 0.01))
}

/** Frames that should be those of a film from `first` on, but differ from them, or match their neighbours instead. */
const strangers = (shown: readonly Uint8Array[], film: readonly Uint8Array[], first: number): readonly string[] =>
  shown.flatMap((frame, n) => {
    const [before, own, after] = [-1, 0, 1].map((step) => likeness(frame, film[first + n + step])) as [number, number, number]
    const isOwn = own >= LEAST_DB && own >= Math.max(before, after) - NOISE_DB
    return isOwn ? [] : [`frame ${first + n}: ${[before, own, after].map((db) => db.toFixed(1)).join(', ')} dB`]
  })

t.jobs = 2
for (const name of [...FILMS, OF_SET]) {
  const options = { timeout: 240_000, skip: name === OF_SET && !existsSync(OF_SET) && 'the media set is not there' }
  t.test(
    `every frame around a join of ${name.split('/').at(-1)} is the film's, regardless of the runs that made it`,
    options,
    async (t) => {
      const path = name === OF_SET ? OF_SET : await oddFile(name as (typeof FILMS)[number])
      const fixture = await openEngineFixture(t)
      const source = await fixture.source(path)
      await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(60_000))
      const plan = await fixture.engine.plan(source)
      const rendition = plan.video.at(-1)!
      t.equal(rendition.method, 'transcode')
      const count = segmentCount(rendition.grid)
      const framesIn = ({ init }: { init: Uint8Array }, bytes: Uint8Array) => framesOf(['-i', 'pipe:0'], [], Buffer.concat([init, bytes]))
      const film = await framesOf(['-i', path], ['bwdif=mode=send_frame:deint=interlaced'])
      const whole = await runFrom({ path, plan, rendition, from: 0 })
      const first: number[] = []
      const made: (readonly Uint8Array[])[] = []
      for (let segment = 0; segment < count; segment++) {
        first.push((first.at(-1) ?? 0) + (made.at(-1)?.length ?? 0))
        made.push(await framesIn(whole, whole.segments.get(segment)!))
        t.strictSame(strangers(made[segment]!, film, first[segment]!), [], `segment ${segment} of the run from the start`)
      }
      t.equal(made.flat().length, film.length)
      for (let from = 1; from < Math.min(count, MOST_JOINS + 1); from++) {
        const run = await runFrom({ path, plan, rendition, from, count: 1 })
        const shown = await framesIn(run, run.segments.get(from)!)
        t.equal(shown.length, made[from]!.length)
        t.strictSame(strangers(shown, film, first[from]!), [], `segment ${from} of a run from there, and the film`)
        t.strictSame(strangers(shown, made.flat(), first[from]!), [], `segment ${from} of a run from there, and the one from the start`)
      }
    },
  )
}
