import t from 'tap'
import { join } from 'node:path'
import type { RestoreAsk, RestoreBackup } from '../../src/process/restore.ts'
import { run } from './offline-run.ts'

const PASSPHRASE = { passphrase: 'a long passphrase\n' }

t.test('a backup says what is new in it, and gives its checkpoint', async (t) => {
  const { code, lines, asked, folder } = await run(t, ['backup', 'all', '--keep', '3', '--passphrase-file', 'passphrase'], {
    files: PASSPHRASE,
  })
  t.equal(code, 0)
  t.strictSame(asked, [['backup', { path: join(folder, 'all'), passphrase: 'a long passphrase', keep: 3 }]])
  t.match(lines, [
    /^10000 of 12,?000 events so far/,
    /^Backup 2026-01-02.*12,?000 events; 2 new files of 4096 bytes, 10 were there already/,
    /a note/,
  ])
})

t.test('a backup that replaced a damaged file reports it where cron sees it', async (t) => {
  for (const more of [[], ['--json']])
    t.match(await run(t, ['backup', 'damaged', ...more]), {
      code: 0,
      complaints: ['1 damaged file was replaced: check the disk of the backups.'],
    })
})

t.test('a backup into the data folder is made, and said to protect nothing', async (t) => {
  t.match(await run(t, ['backup', 'data/backups']), { code: 0, complaints: [/^This backup lies in the data folder and is lost together/] })
  t.strictSame((await run(t, ['backup', 'all'])).complaints, [])
})

t.test('a refused backup and a wrong number are complaints', async (t) => {
  t.match(await run(t, ['backup', 'of-other']), { code: 1, complaints: [/of another installation\.$/] })
  t.match(await run(t, ['backup', 'all', '--keep', 'few']), { code: 2, complaints: [/--keep is invalid/], asked: [] })
  t.match(await run(t, ['backup', 'all.marquee', '--keep', '3']), { code: 2, complaints: [/^--keep is for folders/], asked: [] })
})

t.test('an empty file encrypts no backup', async (t) => {
  for (const passphrase of ['', '\n', '\r\n']) {
    const done = await run(t, ['backup', 'all', '--passphrase-file', 'passphrase'], { files: { passphrase } })
    t.match(done, { code: 2, complaints: [/has no passphrase/], asked: [] })
  }
})

t.test('a passphrase that cannot be read, and a backup without a name, are complaints', async (t) => {
  const unread = await run(t, ['backup', 'all', '--passphrase-file', 'none'])
  t.match(unread, { code: 1, complaints: [/^The passphrase cannot be read from .*none: it does not exist\. Give a file/], asked: [] })
  t.match(await run(t, ['backup', 'all', '--passphrase-file', '.']), { code: 1, complaints: [/it is a folder/], asked: [] })
  t.match(await run(t, ['backup', '']), { code: 2, complaints: [/has no name/], asked: [] })
})

t.test('a restoration is onto files whatever the settings name, and asks for the passphrase if it needs one', async (t) => {
  const asks: RestoreAsk[] = []
  const restoreBackup: RestoreBackup = async (ask) => {
    asks.push(ask)
    return ask.passphrase === undefined
      ? { problem: 'These backups are encrypted', needsPassphrase: true }
      : { id: 'b1', events: 5, aside: '/aside' }
  }
  const env = { MARQUEE_EVENT_LOG: 'esdb://host:2113?tls=false', MARQUEE_SECRET: 'x'.repeat(32) }
  const { code, lines, folder } = await run(t, ['restore', 'all', '--data', 'new', '--at', 'b1', '--replace'], {
    restoreBackup,
    typed: 'typed',
    env,
  })
  t.equal(code, 0)
  t.match(asks[0]?.config, { eventLog: 'sqlite:', vault: 'sqlite:', readStore: 'sqlite:', dataDir: join(folder, 'new') })
  t.match(asks[1], { path: join(folder, 'all'), at: 'b1', replace: true, passphrase: 'typed' })
  t.match(lines, [/The former data is in \/aside/, /Backup b1 is restored to .*new: 5 events, verified/])
})

t.test('a refused restoration says that nothing was restored, and one without a folder how it is used', async (t) => {
  const restoreBackup: RestoreBackup = async () => ({ problem: 'This is only half a backup' })
  t.match(await run(t, ['restore', 'all', '--data', 'new'], { restoreBackup }), {
    code: 1,
    complaints: ['Nothing was restored. This is only half a backup.'],
  })
  t.match(await run(t, ['restore', 'all']), { code: 2, complaints: [/--data is missing/] })
})
