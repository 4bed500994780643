/** Films that do not state their colours: each quality has those of the film, and states how they are coded if players would guess wrong. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { programs } from '../../fixtures/media-files.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'

const list = (text: string): readonly string[] => text.split(' ')
const TIMEOUT = { timeout: 60_000 } as const
const BT709 = { color_range: 'tv', color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' }
/** As ffprobe shows what is not stated. */
const NONE = { color_space: undefined, color_transfer: undefined, color_primaries: undefined }
/** A plain yellow, by the film's own matrix. */
const YELLOW = [191, 191, 0]
const MOST_OFF = 4

const FILMS = [
  ['high.mkv', 'bt709', '1280x720', '-c:v libx264 -pix_fmt yuv420p', BT709],
  ['standard.mkv', 'bt601', '720x576', '-c:v libx264 -pix_fmt yuv420p', NONE],
  ['rgb264.mkv', undefined, '1280x720', '-c:v libx264rgb -crf 5', BT709],
  ['ffv1.mkv', undefined, '640x360', '-c:v ffv1 -pix_fmt bgr0', BT709],
  ['animation.mov', undefined, '1280x720', '-c:v qtrle', BT709],
] as const

async function make(path: string, matrix: string | undefined, size: string, codec: string): Promise<void> {
  const { ffmpeg } = await programs
  const source = `color=0xBFBF00:size=${size}:rate=5:duration=3,format=rgb24`
  const converted =
    matrix === undefined ? source : `${source},scale=out_color_matrix=${matrix}:out_range=tv,format=yuv420p,setparams=colorspace=unknown`
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', converted, ...list(codec), path], TIMEOUT)
}

/** Colour in the middle, by the matrix that the video states. */
async function middle(path: string): Promise<readonly number[]> {
  const { ffmpeg } = await programs
  const args = [
    '-v',
    'error',
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    'crop=16:16,scale=flags=accurate_rnd',
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
    '-',
  ]
  const { stdout } = await execa(ffmpeg, args, { ...TIMEOUT, encoding: 'buffer' })
  return [...stdout.subarray(0, 3)]
}

async function tagsOf(path: string): Promise<unknown> {
  const { ffprobe } = await programs
  const asked = ['-show_entries', 'stream=color_range,color_space,color_transfer,color_primaries', '-of', 'json']
  const { stdout } = await execa(ffprobe, ['-v', 'error', ...asked, path], TIMEOUT)
  return (JSON.parse(stdout) as { readonly streams: readonly unknown[] }).streams[0]
}

for (const [name, matrix, size, codec, tags] of FILMS) {
  t.test(`${name} has the same colours in each quality`, { timeout: 120_000 }, async (t) => {
    const folder = t.testdir()
    const path = join(folder, name)
    await make(path, matrix, size, codec)
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(path)
    const plan = await fixture.engine.plan(source)
    const rungs = plan.video.filter(({ method }) => method === 'transcode')
    t.ok(rungs.length > 0)
    for (const rendition of rungs) {
      const run = await runFrom({ path, plan, rendition, from: 0, count: 1 })
      const served = join(folder, `${rendition.name}.mp4`)
      await writeFile(served, Buffer.concat([run.init, run.segments.get(0)!]))
      t.match(await tagsOf(served), tags, rendition.name)
      const shown = await middle(served)
      t.ok(
        shown.every((value, at) => Math.abs(value - YELLOW[at]!) <= MOST_OFF),
        `${rendition.name}: ${shown.join(', ')}`,
      )
    }
  })
}
