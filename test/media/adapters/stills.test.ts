import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import sharp from 'sharp'
import t from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createStills } from '../../../src/adapters/ffmpeg/stills.ts'
import { imageTypeOf } from '../../../src/app/images/image-type.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { StartMediaRead } from '../../../src/ports/media-reads.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'

const FINGERPRINT = 'ab'.repeat(32)
const { ffmpeg } = await programs
const clock = createSystemClock()

t.test('a film gives a still, which is kept under its content and made once for many askers', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 3 })
  const stills = createStills({ clock, start: mediaFfmpeg(ffmpeg), folder: join(folder, 'stills') })
  const source = { path, fingerprint: FINGERPRINT, durationMs: 3000 }
  const [first, second] = await Promise.all([stills.still(source), stills.still(source)])
  t.equal(first && imageTypeOf(first), 'image/jpeg')
  t.equal(second, first, 'one image for both')
  t.strictSame(readdirSync(join(folder, 'stills', 'ab')), [`${FINGERPRINT}.picture`])
  t.strictSame(
    await createStills({ clock, start: mediaFfmpeg('no-such-program'), folder: join(folder, 'stills') }).still(source),
    Buffer.from(first ?? []),
  )
})

t.test('a still that nobody waits for leaves the processor to everything else', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1 })
  const asked = new Set<string>()
  const start: StartMediaRead = (order) => {
    asked.add(order.priority)
    return mediaFfmpeg(ffmpeg)(order)
  }
  const stills = (name: string) => createStills({ clock, start, folder: join(folder, name) })
  const source = { path, fingerprint: FINGERPRINT, durationMs: 1000 }
  t.ok(await stills('behind').still({ ...source, isBackground: true }))
  t.strictSame([...asked], ['behind'])
  t.ok(await stills('now').still(source))
  t.strictSame([...asked], ['behind', 'now'])
})

t.test('a cover that the file carries goes before a frame, also where it carries several', async (t) => {
  const folder = t.testdir()
  const clip = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1 })
  const covers = [await cover(join(folder, 'cover.png'), 'red', '400x600'), await cover(join(folder, 'small.jpg'), 'red', '100x150')]
  const attached = covers.flatMap((path, index) => ['-attach', path, `-metadata:s:t:${index}`, `mimetype=image/${index ? 'jpeg' : 'png'}`])
  const films = { 'mkv.mkv': attached, 'mp4.mp4': ['-i', covers[0] ?? '', '-map', '0', '-map', '1', '-disposition:v:1', 'attached_pic'] }
  for (const [name, args] of Object.entries(films)) {
    const path = join(folder, name)
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-i', clip, ...args, '-c', 'copy', path], { timeout: 20_000 })
    const still = await createStills({ clock, start: mediaFfmpeg(ffmpeg), folder: join(folder, name.slice(0, 3)) }).still({
      path,
      fingerprint: FINGERPRINT,
      durationMs: 1000,
    })
    t.match(still && (await sharp(still).metadata()), { width: 400, height: 600 }, name)
  }
})

async function cover(path: string, color: string, size: string): Promise<string> {
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', `color=${color}:size=${size}`, '-frames:v', '1', path], {
    timeout: 20_000,
  })
  return path
}

t.test('a film that gives none answers nothing, and costs one try', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'text.mkv')
  await writeFile(path, 'This is no film.')
  const stills = createStills({ clock, start: mediaFfmpeg(ffmpeg), folder: join(folder, 'stills') })
  const source = { path, fingerprint: FINGERPRINT, durationMs: 1000 }
  t.equal(await stills.still(source), undefined)
  await makeClip({ path: join(folder, 'film.mkv'), seconds: 1 })
  t.equal(await stills.still({ ...source, path: join(folder, 'film.mkv') }), undefined, 'the same content is not asked again')
})

t.test('a fingerprint never becomes a path by itself', async (t) => {
  const stills = createStills({ clock, start: mediaFfmpeg(ffmpeg), folder: t.testdir() })
  await t.rejects(stills.still({ path: '/x', fingerprint: '../../etc/passwd', durationMs: 1 }), /Not a fingerprint/)
})
