import { openSync, closeSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { openSqliteEventLogCopy } from '../../../src/adapters/sqlite/event-log-copy.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createReadableLog } from '../../../src/app/consistency/readable-log.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { decodeKnown, encode } from '../../../src/events/codec.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { damagePages } from '../../fixtures/damaged-pages.ts'
import { named } from '../../fixtures/names.ts'
import { all, take } from '../../fixtures/event-log-contract.ts'
import { someEvent } from '../../fixtures/events.ts'

const folder = t.testdir()
const clock = createSystemClock()
const forever = new AbortController().signal
const origin = { at: '2026-01-02T12:00:00.000Z', actor: 'system' }
const data = { movieId: named<'movie'>('metropolis'), libraryId: named<'library'>('films') }
let files = 0

/** Verifies a log of three streams with four events each, in turns, after its file was damaged. */
async function verified(harm: (db: DatabaseSync) => void) {
  const file = join(folder, `log-${files++}.sqlite`)
  const log = createSqliteEventLog({ file, clock })
  const prevs = new Map<string, string>()
  for (let revision = 0; revision < 4; revision++) {
    for (const stream of ['movie-a', 'movie-b', 'movie-c']) {
      const place = { stream, revision, prev: prevs.get(stream) ?? '' }
      const event = encode(someEvent().id, { type: 'MovieDiscovered', data }, origin, place)
      prevs.set(stream, event.metadata.hash)
      await log.append(stream, revision === 0 ? 'absent' : revision - 1, [event])
    }
  }
  await log.close()
  const db = new DatabaseSync(file)
  harm(db)
  db.close()
  const again = createSqliteEventLog({ file, clock })
  t.teardown(() => again.close())
  return { file, log: again, found: await verifyLog(again, { step: () => {}, signal: forever }) }
}

t.test('an untouched log is sound', async (t) => {
  const { found } = await verified(() => {})
  t.strictSame(found, { streams: 3, events: 12, problems: [], faults: [], first: null, notes: { compared: 0, skipped: 0, torn: 0 } })
})

t.test('a deleted stream is found', async (t) => {
  const { found } = await verified((db) => db.exec('delete from events where stream = 2; delete from streams where id = 2'))
  t.match(found.faults, [
    'Position 2 is missing',
    'Position 5 is missing',
    'Position 8 is missing',
    'Position 11 is missing',
    /Stream number 2 is/,
  ])
})

t.test('a tail that was cut off is found, also when the log has been opened and gone on since', async (t) => {
  const { log, found } = await verified((db) => db.exec('delete from events where position > 9'))
  t.match(found.faults, ['The log ends at position 9, although it was at 12: the last events are gone'])
  await log.append('movie-d', 'absent', [someEvent()])
  t.match((await verifyLog(log, { step: () => {}, signal: forever })).faults, found.faults)
})

t.test('swapped positions are found', async (t) => {
  const { found } = await verified((db) =>
    db.exec(
      'update events set position = 100 where position = 5; update events set position = 5 where position = 6; update events set position = 6 where position = 100',
    ),
  )
  t.match(found.faults, [/^The events from position 1 to 12 are not those that were committed/])
})

t.test('a flipped page of an index is found', async (t) => {
  const { found, file } = await verified((db) => {
    const page = Number(db.prepare("select rootpage from sqlite_schema where name = 'sqlite_autoindex_events_1'").get()?.['rootpage'])
    db.exec('pragma wal_checkpoint(truncate)')
    const path = String(db.location())
    const bytes = readFileSync(path)
    const from = (page - 1) * 4096
    const at = bytes.subarray(from, from + 4096).findLastIndex((byte) => byte !== 0)
    const handle = openSync(path, 'r+')
    writeSync(handle, Buffer.from([(bytes[from + at] ?? 0) ^ 1]), 0, 1, from + at)
    closeSync(handle)
  })
  t.ok(
    found.faults?.some((fault) => fault.startsWith(`${file} is damaged: `)),
    String(found.faults),
  )
})

t.test('verifying goes on past events that cannot be read, and names each of them', async (t) => {
  const { found } = await verified((db) => db.exec("update events set data = '{' where position in (4, 8)"))
  t.equal(found.events, 12)
  t.match(found.problems, [
    { stream: 'movie-a', revision: 1, reason: /^The event at position 4 \(stream movie-a, revision 1, MovieDiscovered\) cannot be read: / },
    { stream: 'movie-b', revision: 2, reason: /^The event at position 8 / },
  ])
  t.equal(found.problems.length, 2)
})

t.test('a follower of the log skips an event that cannot be read, which is reported once', async (t) => {
  const { log } = await verified((db) => db.exec("update events set metadata = 'x' where position = 4"))
  const said: string[] = []
  const readable = createReadableLog(log, (line) => said.push(line))
  for (let round = 0; round < 2; round++) {
    const positions = (await take(readable, START, 11)).map(({ position }) => Number(position))
    t.strictSame(positions, [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])
  }
  t.match(said, [/^The event at position 4 \(stream movie-a, revision 1, MovieDiscovered\) cannot be read: .* Restore the event log/])
  t.equal(said.length, 1)
})

t.test('the head is the last event that can be read, so that nobody waits for one that never comes', async (t) => {
  const { log } = await verified((db) => db.exec("update events set data = '{' where position >= 11"))
  t.equal(await log.head(), toPosition(10))
  const { position } = await log.append('movie-d', 'absent', [someEvent()])
  t.equal(await log.head(), position)
})

t.test('an event of a type or version that is not known here is reported, delivered, and found by a verification', async (t) => {
  const { log, found } = await verified((db) =>
    db.exec(`update events set type = 'MovieSangASong' where position = 4;
      update events set metadata = json_set(metadata, '$.v', '9') where position = 8`),
  )
  const said: string[] = []
  const readable = createReadableLog(log, (line) => said.push(line))
  t.equal((await take(readable, START, 12)).map(decodeKnown).filter((event) => event !== undefined).length, 10)
  t.match(said, [/^The event at position 4 .*its type is not known/, /^The event at position 8 .*its version 9 is not known/])
  t.match(found.problems, [
    { stream: 'movie-a', revision: 1 },
    { stream: 'movie-b', revision: 2 },
  ])
})

t.test('a page of the table that is damaged is named with its file, and what lies behind it is read', async (t) => {
  const file = join(folder, 'page.sqlite')
  const log = createSqliteEventLog({ file, clock })
  const COUNT = 40
  for (let n = 0; n < COUNT; n++) await log.append('movie-a', n === 0 ? 'absent' : n - 1, [someEvent({ text: 'x'.repeat(1000) })])
  await log.close()
  const db = new DatabaseSync(file)
  const [page] = db.prepare("select pageno from dbstat where name = 'events' and pagetype = 'leaf' order by path limit 1 offset 4").all()
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xff), 0, 4096, (Number(page?.['pageno']) - 1) * 4096)
  closeSync(handle)
  const again = createSqliteEventLog({ file, clock })
  t.teardown(() => again.close())
  const { events, problems, faults } = await verifyLog(again, { step: () => {}, signal: forever })
  // These events have no hashes.
  const onError = problems.find(({ reason }) => !reason.startsWith('Its hash'))
  t.match(onError?.reason, new RegExp(`^The event at position \\d+ cannot be read: ${file} is damaged`))
  t.ok(events > COUNT / 2 && events < COUNT, `${events} of ${COUNT} were looked at`)
  t.ok(faults?.some((fault) => fault.startsWith(`${file} is damaged: `)))
})

/** A stopped log of one stream, with several events on each page of the table. */
async function longLog(count: number): Promise<string> {
  const file = join(folder, `log-${files++}.sqlite`)
  const log = createSqliteEventLog({ file, clock })
  for (let n = 0; n < count; n++) await log.append('movie-a', n === 0 ? 'absent' : n - 1, [someEvent({ text: 'x'.repeat(250) })])
  await log.close()
  return file
}

/** The positions that a follower gets up to the last one, which can be read. */
async function followed(file: string, last: number) {
  const log = createSqliteEventLog({ file, clock })
  const warnings: string[] = []
  const found: number[] = []
  for await (const batch of createReadableLog(log, (line) => warnings.push(line)).follow(START, AbortSignal.timeout(5_000))) {
    found.push(...batch.map(({ position }) => Number(position)))
    if (found.at(-1) === last) break
  }
  await log.close()
  return { found, warnings: warnings.filter((line) => line.includes('is damaged')) }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

t.test('of damaged pages only their own events are skipped, also when intact pages lie between them', async (t) => {
  const COUNT = 400
  const file = await longLog(COUNT)
  damagePages(file, 'events', (_, index) => [4, 6, 7, 12].includes(index))
  const db = new DatabaseSync(file)
  const row = db.prepare('select data from events where position = ?')
  const readable = upTo(COUNT).filter((position) => {
    try {
      return row.get(position) !== undefined
    } catch {
      return false
    }
  })
  db.close()
  t.ok(readable.length > COUNT * 0.8 && readable.length < COUNT, `${readable.length} of ${COUNT} can be read`)
  const { found, warnings } = await followed(file, COUNT)
  t.strictSame(found, readable)
  t.equal(warnings.length, 3)
  t.match(warnings[0], /^The event at position \d+ cannot be read: \S+ is damaged at positions \d+ to \d+ \(/)
})

t.test('a row that damage has given another position is skipped, and no row after it', async (t) => {
  const COUNT = 100
  for (const nonsense of [COUNT + 20, COUNT - 20, 1]) {
    const file = await longLog(COUNT)
    const row = renumberRow(file, nonsense)
    const { found, warnings } = await followed(file, COUNT)
    t.strictSame(
      found,
      upTo(COUNT).filter((position) => position !== row),
      `${row} reads as ${nonsense}`,
    )
    // SQLite's search passes a row of too low a position: only a verification finds that it is missing.
    t.match(warnings, nonsense > row ? [new RegExp(`is damaged at position ${row} `)] : [])
  }
})

/** Overwrites the position of a row in the middle of the table, on its page; returns what it was. Positions take one byte up to 127. */
function renumberRow(file: string, position: number): number {
  const db = new DatabaseSync(file)
  const leaves = db.prepare("select pageno from dbstat where name = 'events' and pagetype = 'leaf' order by path").all()
  db.close()
  const start = (Number(leaves[leaves.length >> 1]?.['pageno']) - 1) * 4096
  const bytes = readFileSync(file)
  const rows = bytes.readUInt16BE(start + 3)
  // https://www.sqlite.org/fileformat.html#b_tree_pages: after the header of 8 bytes the places of the cells, in order.
  const cell = start + bytes.readUInt16BE(start + 8 + 2 * (rows >> 1))
  // Before it is the length of the row, in two bytes.
  const row = bytes[cell + 2] ?? 0
  bytes[cell + 2] = position
  writeFileSync(file, bytes)
  return row
}

t.test('a stream on a damaged page, and a damaged end of the log, name the file and what to do', async (t) => {
  const file = await longLog(100)
  const trouble = { code: 'damaged', message: `${file} is damaged. Stop Marquee, keep a copy of the file, and restore it from a backup` }
  damagePages(file, 'sqlite_autoindex_events_2')
  const log = createSqliteEventLog({ file, clock })
  await t.rejects(all(log.read('movie-a')), trouble)
  await log.close()
  damagePages(file, 'events', (_, index) => index > 10)
  const copy = openSqliteEventLogCopy(file)
  await t.rejects(copy.head(), trouble)
  await copy.close()
})

t.test('the head is before a last event that damage has made unreadable, and later events are followed', async (t) => {
  const file = join(folder, `log-${files++}.sqlite`)
  const first = createSqliteEventLog({ file, clock })
  await first.append('movie-a', 'absent', [someEvent(), someEvent()])
  // So long that it continues on pages of its own, each of which names the next one.
  await first.append('movie-b', 'absent', [someEvent({ text: 'x'.repeat(10_000) })])
  await first.close()
  damagePages(file, 'events', (_, index, { length }) => index === length - 2)
  const log = createSqliteEventLog({ file, clock })
  t.teardown(() => log.close())
  t.equal(await log.head(), toPosition(2))
  const { position } = await log.append('movie-c', 'absent', [someEvent()])
  t.equal(await log.head(), position)
  const events = await take(
    createReadableLog(log, () => {}),
    START,
    3,
  )
  t.strictSame(
    events.map((event) => Number(event.position)),
    [1, 2, 4],
  )
})

t.test('a copy that cannot be opened is named with the reason', async (t) => {
  const { file } = await verified(() => {})
  const whole = readFileSync(file)
  const copy = (bytes: Buffer | string) => join(t.testdir({ 'copy.sqlite': bytes }), 'copy.sqlite')
  for (const broken of [copy(whole.subarray(0, whole.length / 2)), copy('garbage')]) {
    const reason = `${broken} is no event log that this version of Marquee can read (damaged, or no database)`
    t.throws(() => openSqliteEventLogCopy(broken), { message: reason })
  }
  for (const none of [join(folder, 'nowhere.sqlite'), folder]) {
    t.throws(() => openSqliteEventLogCopy(none), { message: `There is no file ${none}` })
  }
})
