/** Scans a real folder below which file systems are mounted: only root can mount them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Each is a file system of its own; false if this process may not mount one. */
function mountMemory(t: Test, ...folders: readonly string[]): boolean {
  return folders.every((folder) => {
    mkdirSync(folder, { recursive: true })
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { stdio: 'ignore' }).status !== 0) return false
    t.teardown(() => spawnSync('umount', ['-l', folder], { stdio: 'ignore' }))
    return true
  })
}

const bind = (from: string, to: string) => execFileSync('mount', ['--bind', from, to])
const unmount = (folder: string) => execFileSync('umount', [folder])

t.test('drives below a folder of a library may go and come back, whatever mounts them', async (t) => {
  const base = testFolder(t)
  const root = join(base, 'mnt')
  const [usb, nas] = [join(base, 'usb'), join(base, 'nas')]
  if (!mountMemory(t, usb, nas)) {
    console.error('SKIPPED: drives below a folder are tested as root only, who can mount them')
    return
  }
  const clip = await makeClip({ path: join(base, 'clip.mkv'), seconds: 2 })
  const put = (folder: string, name: string) => {
    const path = join(folder, name, `${name}.mkv`)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(clip, path)
    // Each film has its own content.
    writeFileSync(path, name, { flag: 'a' })
  }
  put(usb, 'Alien (1979)')
  put(join(nas, 'deep'), 'Brazil (1985)')
  put(join(root, 'local'), 'Casablanca (1942)')
  const [usbAt, nasAt, nextAt] = [join(root, 'usb'), join(root, 'video', 'nas'), join(root, 'next')]
  for (const folder of [usbAt, nasAt, nextAt]) mkdirSync(folder, { recursive: true })
  bind(usb, usbAt)
  bind(nas, nasAt)
  t.teardown(() => [usbAt, nasAt, nextAt].map((folder) => spawnSync('umount', ['-l', folder], { stdio: 'ignore' })))

  const { ffprobe } = await programs
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock: createTestClock(), indexFolder: join(base, 'index') })
  const node = await openNodeFixture(t, { media })
  const libraryId = await node.newLibrary(root)
  const scan = (paths: readonly string[] | null = null) => node.scan(libraryId, { paths })
  t.match(await scan(), { state: 'completed', counts: { added: 3, errors: 0 } })
  const noted = node.access.libraries.get(libraryId)?.roots[0]?.mountPoints
  t.strictSame(
    noted?.map(({ path }) => path),
    [usbAt, nasAt],
  )

  unmount(usbAt)
  const away = { state: 'completed', counts: { missing: 0, errors: 1 }, errors: [{ file: 'usb' }] }
  t.match(await scan(), away, 'an empty mount point')
  writeFileSync(join(usbAt, 'NOT_MOUNTED.txt'), '')
  for (const paths of [[usbAt], [join(usbAt, 'Alien (1979)')], null]) t.match(await scan(paths), away, 'with a text file')
  rmSync(join(usbAt, 'NOT_MOUNTED.txt'))
  rmdirSync(usbAt)
  for (const paths of [[usbAt], null]) t.match(await scan(paths), away, 'no mount point')
  symlinkSync(usb, usbAt)
  t.match(await scan(), { counts: { unchanged: 3, errors: 0 } }, 'a link leads to it')
  unmount(usb)
  t.match(await scan(), away, 'a link leads to its empty mount point')
  rmSync(usbAt)
  mkdirSync(usbAt)

  unmount(nasAt)
  t.match(await scan(), { counts: { missing: 0, errors: 2 } }, 'both are away')
  bind(nas, nextAt)
  t.match(await scan(), { counts: { moved: 1, missing: 0 }, errors: [{ file: 'usb' }] }, 'one is mounted elsewhere')
  unmount(nextAt)
  t.match(await scan(), { counts: { missing: 0 }, errors: [{ file: 'next' }, { file: 'usb' }] })
  bind(nas, nextAt)
  rmSync(join(nextAt, 'deep'), { recursive: true })
  t.match(await scan(), { counts: { missing: 1 }, errors: [{ file: 'usb' }] }, 'what was deleted is missing')
  put(usbAt, 'Dumbo (1941)')
  t.match(await scan(), { counts: { added: 1, missing: 1, errors: 0 } }, 'a folder of its own by now')
})
