import t from 'tap'
import { createMounts } from '../../src/drives/mounts.ts'

const TABLE = [
  '27 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
  '40 27 0:50 / /mnt/nas rw,relatime shared:1 - nfs4 nas:/films rw',
  '41 40 0:51 / /mnt/nas/old rw - fuse.sshfs old: rw',
  String.raw`42 27 0:52 / /mnt/my\040films rw - cifs //nas/films rw`,
]

function setUp(lines: readonly string[] = TABLE) {
  const given = { text: lines.join('\n'), nowMs: 0, readings: 0 }
  const read = (): string => {
    given.readings++
    return given.text
  }
  return { given, mounts: createMounts({ read, now: () => given.nowMs }) }
}

t.test('a path lies on the mount that is nearest above it', async (t) => {
  const { mounts } = setUp()
  const expected = { '/': '27', '/mnt': '27', '/mnt/nas2/a': '27', '/mnt/nas': '40', '/mnt/nas/a/b.mkv': '40', '/mnt/nas/old/c': '41' }
  for (const [path, id] of Object.entries(expected)) t.equal(mounts.driveOf(path), id, path)
  t.equal(mounts.driveOf('/mnt/my films/a.mkv'), '42', 'with a space')
})

t.test('folders at and above a mount are known without a look', async (t) => {
  const { mounts } = setUp()
  for (const path of ['/', '/mnt', '/mnt/nas', '/mnt/nas/old']) t.ok(mounts.leadsToDrive(path), path)
  for (const path of ['/mnt/nas/a', '/home']) t.notOk(mounts.leadsToDrive(path), path)
})

t.test('what is mounted in place of a dead drive is another drive', async (t) => {
  const { given, mounts } = setUp()
  t.equal(mounts.driveOf('/mnt/nas/a'), '40')
  given.text += '\n50 27 0:60 / /mnt/nas rw - nfs4 nas:/films rw'
  t.equal(mounts.driveOf('/mnt/nas/a'), '40', 'not at once: the table is not read for each call')
  t.equal(given.readings, 1)
  given.nowMs = 1_000
  t.equal(mounts.driveOf('/mnt/nas/a'), '50')
})

t.test('without a table the first folders tell drives apart', async (t) => {
  const mounts = createMounts({
    read: () => {
      throw new Error('no such file')
    },
    now: () => 0,
  })
  t.equal(mounts.driveOf('/Volumes/NAS/a/b.mkv'), mounts.driveOf('/Volumes/NAS/c.mkv'))
  t.not(mounts.driveOf('/Volumes/NAS/a.mkv'), mounts.driveOf('/Volumes/Disk/a.mkv'))
})
