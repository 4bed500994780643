import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createStills } from '../../../src/adapters/media/stills.ts'
import { imageTypeOf } from '../../../src/app/image-type.ts'
import { makeClip, programs } from '../../films.ts'

const FINGERPRINT = 'ab'.repeat(32)
const { ffmpeg } = await programs

t.test('a film gives a still, which is kept under its content and made once for many askers', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 3 })
  const stills = createStills({ ffmpegPath: ffmpeg, folder: join(folder, 'stills') })
  const source = { path, fingerprint: FINGERPRINT, durationMs: 3000 }
  const [first, second] = await Promise.all([stills.still(source), stills.still(source)])
  t.equal(first && imageTypeOf(first), 'image/jpeg')
  t.equal(second, first, 'one picture for both')
  t.strictSame(readdirSync(join(folder, 'stills', 'ab')), [`${FINGERPRINT}.jpg`])
  t.strictSame(
    await createStills({ ffmpegPath: 'no-such-program', folder: join(folder, 'stills') }).still(source),
    Buffer.from(first ?? []),
  )
})

t.test('a film that gives none answers nothing, and costs one try', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'text.mkv')
  await writeFile(path, 'This is no film.')
  const stills = createStills({ ffmpegPath: ffmpeg, folder: join(folder, 'stills') })
  const source = { path, fingerprint: FINGERPRINT, durationMs: 1000 }
  t.equal(await stills.still(source), undefined)
  await makeClip({ path: join(folder, 'film.mkv'), seconds: 1 })
  t.equal(await stills.still({ ...source, path: join(folder, 'film.mkv') }), undefined, 'the same content is not asked again')
})

t.test('a fingerprint never becomes a path by itself', async (t) => {
  const stills = createStills({ ffmpegPath: ffmpeg, folder: t.testdir() })
  await t.rejects(stills.still({ path: '/x', fingerprint: '../../etc/passwd', durationMs: 1 }), /Not a fingerprint/)
})
