import t from 'tap'
import { createDriveOf } from '../../src/drives/links.ts'
import { createMounts } from '../../src/drives/mounts.ts'
import { NoAnswer, type Places } from '../../src/drives/places.ts'

const TABLE = ['1 0 8:1 / / rw - ext4 a rw', '2 1 0:50 / /mnt/nas rw - nfs4 nas:/ rw'].join('\n')
const LINKS: Readonly<Record<string, string>> = {
  '/films/nas': '/mnt/nas/films',
  '/films/a.mkv': 'nas/a.mkv',
  '/loop': '/loop',
}

function setUp(isDead = false) {
  const looks: string[] = []
  const given = { nowMs: 0 }
  const places: Pick<Places, 'call'> = {
    async call(drive, call) {
      if (isDead && drive === '2') throw new NoAnswer(drive)
      return call()
    },
  }
  const readLink = async (path: string): Promise<string> => {
    looks.push(path)
    const target = LINKS[path]
    if (target === undefined) throw new Error('no link')
    return target
  }
  const mounts = createMounts({ read: () => TABLE, now: () => 0 })
  return { driveOf: createDriveOf({ mounts, places, readLink, now: () => given.nowMs }), looks, given }
}

t.test('a path belongs to the drive that its links lead to', async (t) => {
  const { driveOf } = setUp()
  t.equal(await driveOf('/films/b.mkv'), '1')
  t.equal(await driveOf('/films/nas/b.mkv'), '2')
  t.equal(await driveOf('/films/a.mkv'), '2', 'a link beside a link')
  t.equal(await driveOf('/loop/a.mkv'), '1')
})

t.test('what was found out is kept for a while', async (t) => {
  const { driveOf, looks, given } = setUp()
  await driveOf('/films/b.mkv')
  await driveOf('/films/b.mkv')
  t.strictSame(looks, ['/films', '/films/b.mkv'])
  given.nowMs = 60_000
  await driveOf('/films/b.mkv')
  t.equal(looks.length, 4)
})

t.test('a dead drive says so, and the one that holds a link to it is not asked to wait', async (t) => {
  const { driveOf } = setUp(true)
  await t.rejects(driveOf('/films/nas/b.mkv'), NoAnswer)
  t.equal(await driveOf('/films/b.mkv'), '1')
})
