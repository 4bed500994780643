/** Films whose stream does not state that it is interlaced, or begins progressive: no player gets two moments in one frame. */
import t from 'tap'
import { execa } from 'execa'
import { programs } from '../../fixtures/media-files.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'
import { oddFile, type OddFile } from './odd-files.ts'

const BWDIF = 'bwdif=mode=send_frame:deint=interlaced'
/** Of the detail of deinterlaced frames: combed ones have more than that in these clips, and encoding takes some away. */
const [LEAST_OF_COMBED, MOST_OF_SHOWN] = [1.3, 1.05]

interface Shape {
  readonly width: number
  readonly height: number
}

/** Mean difference between a line and its neighbours. */
async function detail(args: readonly string[], { width, height }: Shape, input?: Uint8Array): Promise<number> {
  const { ffmpeg } = await programs
  const output = ['-frames:v', '10', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const options = { encoding: 'buffer', maxBuffer: 2 ** 28, timeout: 60_000 } as const
  const { stdout } = await execa(ffmpeg, ['-v', 'error', ...args, ...output], input ? { ...options, input } : options)
  let [sum, count] = [0, 0]
  for (let at = width; at < stdout.length - width; at++) {
    const line = Math.floor(at / width) % height
    if (line === 0 || line === height - 1) continue
    sum += Math.abs((stdout[at] ?? 0) - ((stdout[at - width] ?? 0) + (stdout[at + width] ?? 0)) / 2)
    count++
  }
  return sum / count
}

for (const [name, segment] of [
  ['fields.avi', 1],
  ['fields.dv', 1],
  ['turns-to-fields.ts', 4],
] as const satisfies readonly (readonly [OddFile, number])[]) {
  t.test(`${name} is deinterlaced`, { timeout: 120_000 }, async (t) => {
    const path = await oddFile(name)
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(path)
    t.equal(source.media.video[0]?.interlaced, false, 'the stream does not state it')
    await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(60_000))
    const plan = await fixture.engine.plan(source)
    const rendition = plan.video[0]!
    const run = await runFrom({ path, plan, rendition, from: segment, count: 1 })
    const { width, height } = rendition
    const shown = await detail(['-i', 'pipe:0'], { width, height }, Buffer.concat([run.init, run.segments.get(segment)!]))
    const from = ['-i', path, '-ss', String(segment * 2), '-vf']
    const deinterlaced = await detail([...from, `${BWDIF},scale=${width}:${height}`], { width, height })
    const combed = await detail([...from, `scale=${width}:${height}`], { width, height })
    t.ok(combed > deinterlaced * LEAST_OF_COMBED, `combed ${combed}`)
    t.ok(shown < deinterlaced * MOST_OF_SHOWN, `${shown} instead of ${deinterlaced}`)
  })
}
