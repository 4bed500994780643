/** A data folder of a newer version is refused before anything in it changes. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteIdempotencyStore } from '../../src/adapters/sqlite/idempotency-store.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../../src/adapters/sqlite/vault.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { EVENT_VERSIONS, VIEW_VERSIONS } from '../../src/app/format-versions.ts'
import { dataFolderAt, type DataFolder } from '../../src/process/data-folder.ts'
import { noteFormats, refuseNewerData } from '../../src/wiring/data-formats.ts'

const ON_FILES = { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:' }

/** A folder with all of its files, as a stopped server leaves them. */
async function filledFolder(path: string): Promise<DataFolder> {
  const [folder, clock] = [dataFolderAt(path), createTestClock()]
  await createSqliteEventLog({ file: folder.eventLog, clock }).close()
  await createSqliteReadStore({ file: folder.readModels }).close()
  await createSqliteVault({ file: folder.vault }).close()
  await createSqliteIdempotencyStore({ file: folder.idempotencyStore, clock }).close()
  noteFormats(folder, '0.1.0')
  return folder
}

const contentOf = (path: string) => readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'base64')])

function refusalOf(folder: DataFolder, config = ON_FILES): string {
  try {
    refuseNewerData({ config, folder })
    return ''
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function note(folder: DataFolder, change: object): void {
  const noted = JSON.parse(readFileSync(folder.formats, 'utf8')) as object
  writeFileSync(folder.formats, JSON.stringify({ ...noted, ...change }))
}

t.test('a folder of this version, an empty one and one of an earlier version are taken', async (t) => {
  const folder = await filledFolder(t.testdir())
  t.equal(refusalOf(folder), '')
  t.equal(refusalOf(dataFolderAt(join(folder.path, 'none'))), '')
  note(folder, { events: { ...EVENT_VERSIONS, PlaybackCommandIssued: 1 }, views: { movies: 1 } })
  t.equal(refusalOf(folder), '')
})

t.test('each file of a newer version is refused in one line, and nothing is changed', async (t) => {
  for (const name of ['eventLog', 'vault', 'readModels', 'idempotencyStore'] as const) {
    const folder = await filledFolder(t.testdir())
    const db = new DatabaseSync(folder[name])
    db.exec('pragma user_version = 99')
    db.close()
    const before = contentOf(folder.path)
    const refusal = refusalOf(folder)
    const file = folder[name].slice(folder.path.length + 1)
    t.match(
      refusal,
      new RegExp(`^The data folder ${folder.path} was written by a newer version of Marquee.*: it holds ${file} of version 99`),
    )
    t.match(refusal, /\(known here: \d\)\. Nothing was changed\. Start that version again, or restore a backup/)
    t.notMatch(refusal, '\n')
    t.strictSame(contentOf(folder.path), before)
    const elsewhere = { eventLog: 'esdb://host', readStore: 'mongodb://host', vault: 'mongodb://host' }
    t.equal(refusalOf(folder, elsewhere), '', 'a file that is not used does not matter')
  }
})

t.test('events and read models of a newer version are refused by what the folder notes', async (t) => {
  const folder = await filledFolder(t.testdir())
  note(folder, {
    writtenBy: '0.9.0',
    events: { ...EVENT_VERSIONS, SignedIn: 2, MovieSung: 1 },
    views: { ...VIEW_VERSIONS, movies: 99, songs: 1 },
  })
  const refusal = refusalOf(folder)
  t.match(
    refusal,
    'by a newer version of Marquee (0.9.0): it holds events MovieSung (unknown here), events SignedIn of version 2 (known here: 1)',
  )
  t.match(refusal, `read model movies of version 99 (known here: ${VIEW_VERSIONS['movies']}). Nothing was changed.`)
  t.notMatch(refusal, '\n')
  note(folder, { writtenBy: '0.0.9', events: EVENT_VERSIONS, views: { ...VIEW_VERSIONS, removedSince: 3 } })
  t.equal(refusalOf(folder), '', 'an upgrade may remove a view')
  note(folder, { version: 2, events: 'in another way' })
  t.match(refusalOf(folder), 'it holds formats.json of version 2 (known here: 1).')
})

t.test('the note is for its owner only, is written once, and again if it was damaged', async (t) => {
  const folder = dataFolderAt(t.testdir())
  noteFormats(folder, '0.1.0')
  t.equal(statSync(folder.formats).mode & 0o777, 0o600)
  t.match(JSON.parse(readFileSync(folder.formats, 'utf8')), {
    version: 1,
    writtenBy: '0.1.0',
    events: { SignedIn: 1 },
    views: VIEW_VERSIONS,
  })
  const { mtimeMs, ino } = statSync(folder.formats)
  noteFormats(folder, '0.1.0')
  t.match(statSync(folder.formats), { mtimeMs, ino })
  writeFileSync(folder.formats, '{')
  t.equal(refusalOf(folder), '')
  noteFormats(folder, '0.1.0')
  t.match(JSON.parse(readFileSync(folder.formats, 'utf8')), { version: 1 })
  t.strictSame(readdirSync(folder.path), ['formats.json'], 'nothing unfinished is left')
})
