/** Scans real folders with real films: uses the disk and ffprobe instead of a simulated file tree. */
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

t.test('a library on a disk keeps its movies while files are renamed, moved, replaced, gone and back, and its drive away', async (t) => {
  const folder = t.testdir()
  const [root, store] = [join(folder, 'films'), join(folder, 'store')]
  const short = await makeClip({ path: join(store, 'short.mkv'), seconds: 2 })
  const long = await makeClip({ path: join(store, 'long.mkv'), seconds: 4 })
  await mkdir(join(root, 'Alien (1979)'), { recursive: true })
  await copyFile(short, join(root, 'Metropolis (1927).mkv'))
  await copyFile(long, join(root, 'Alien (1979)', 'Alien.mkv'))
  const { ffprobe } = await programs
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock: createTestClock(), indexFolder: join(folder, 'index') })
  const node = await openNodeFixture(t, { media })
  const { caller } = await node.person()
  const libraryId = await node.newLibrary(root)
  const scan = () => node.scan(libraryId)

  t.match(await scan(), { state: 'completed', counts: { seen: 2, added: 2, errors: 0 } })
  const metropolis = await node.movieNamed('Metropolis')
  t.match(metropolis, { details: { year: 1927 }, files: [{ container: 'matroska', resolution: '240p' }] })
  t.ok(Math.abs((metropolis.files[0]?.durationMs ?? 0) - 2000) < 100)
  t.match(await scan(), { counts: { unchanged: 2, added: 0, updated: 0 } })
  allowed(await node.movieMarks.markWatched(caller, metropolis.id, undefined, ORIGIN))
  const isKept = async () => {
    const { movie, own } = allowed(await node.movies.get(caller, metropolis.id))
    return movie.card.available && movie.card.addedAt === metropolis.addedAt && own?.watched === true
  }

  const renamed = join(root, 'Metropolis.1927.1080p.mkv')
  await rename(join(root, 'Metropolis (1927).mkv'), renamed)
  t.match(await scan(), { counts: { moved: 1, added: 0, missing: 0 } }, 'renamed')
  t.ok(await isKept())

  await mkdir(join(root, 'silent'))
  await rename(renamed, join(root, 'silent', 'Metropolis (1927).mkv'))
  t.match(await scan(), { counts: { moved: 1, added: 0, missing: 0 } }, 'moved')
  t.ok(await isKept())

  await copyFile(long, join(root, 'silent', 'Metropolis (1927).mkv'))
  t.match(await scan(), { counts: { updated: 1, added: 0, missing: 0 } }, 'replaced')
  t.ok(await isKept())
  t.ok(Math.abs(((await node.movieNamed('Metropolis')).files[0]?.durationMs ?? 0) - 4000) < 100)

  await rename(join(root, 'silent'), join(store, 'silent'))
  t.match(await scan(), { counts: { missing: 1 } }, 'gone')
  t.notOk(await isKept())
  await rename(join(store, 'silent'), join(root, 'silent'))
  t.match(await scan(), { counts: { restored: 1, added: 0 } }, 'back')
  t.ok(await isKept())

  await rename(root, join(folder, 'unplugged'))
  t.match(await scan(), { state: 'failed', error: 'root_unavailable' }, 'the drive away')
  t.ok(await isKept())
  await rename(join(folder, 'unplugged'), root)
  t.match(await scan(), { state: 'completed', counts: { unchanged: 2 } }, 'and there again')

  await writeFile(join(root, 'Broken (2000).mkv'), 'no film at all')
  t.match(await scan(), { state: 'completed', counts: { errors: 1, unchanged: 2 }, errors: [{ file: 'Broken (2000).mkv', message: /\w/ }] })
  await rm(join(root, 'Broken (2000).mkv'))
  t.match(await scan(), { counts: { errors: 0, unchanged: 2 } })
  t.strictSame(node.problems, [])
})
