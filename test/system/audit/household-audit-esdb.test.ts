/**
 * The same year on EventStoreDB, lived through the real client. The tampering is done to what the client reads, since a log of that
 * size cannot be started a thousand times; one event is changed in the server's own file.
 *
 * If `MARQUEE_TEST_YEAR` holds a year that was lived on SQLite, that one is moved to EventStoreDB as `move-log` moves it: its checkpoints,
 * signed before, must hold there.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t, { type Test } from 'tap'
import { createEsdbEventLog } from '../../../src/adapters/esdb/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { openSqliteEventLogCopy } from '../../../src/adapters/sqlite/event-log-copy.ts'
import { addToServer, copyLog } from '../../../src/app/backup/copy-log.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { startEventStore, type OwnEventStore } from '../../fakes/event-store.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { createRandom } from '../../fixtures/random.ts'
import { everything } from '../history/household.ts'
import { editedLog, forPython, writeCopy } from './edited-log.ts'
import { createJudge } from './judge.ts'
import { folderOfYear, isLived, keptOf as yearIn, liveYear, type LivedYear } from './lived-year.ts'
import { EVENT_WAYS, keptOf, tamperEvents } from './tampered-events.ts'
import { isNamed, manyInPython, python } from './verifiers.ts'

/** `MARQUEE_TEST_TAMPERINGS=1000` makes more of them. */
const ROUNDS = Number(process.env['MARQUEE_TEST_TAMPERINGS'] ?? EVENT_WAYS.length * 2)

t.test('whatever is done to the log of a year on EventStoreDB is named by both verifiers', { timeout: 7_200_000 }, async (t) => {
  if (!python) return tellMissing(t, 'python3', 'The independent verifier is a program in Python.')
  const folder = folderOfYear(t, 'esdb')
  const kept = join(folder, 'log')
  const eventStore = await startEventStore()
  t.teardown(() => eventStore.server.stop())
  if (isLived(folder)) await restartOn(eventStore, (file) => copyFileSync(kept, file))
  const log = createEsdbEventLog({ clock: createSystemClock(), url: eventStore.url })
  t.teardown(() => log.close())
  const keep = async () => copyFileSync(eventStore.logFile, kept)
  const onSqlite = join(folder, '../sqlite')
  if (!isLived(folder)) await (isLived(onSqlite) ? moveYear(t, { from: onSqlite, folder, log, keep }) : liveYear(t, { folder, log, keep }))
  const year = yearIn(folder)
  const startMs = performance.now()
  t.equal((await createJudge(log, year, false)).whole, null, 'as it was written, read from the server')
  t.comment(`${year.sizes.at(-1)} events and ${year.sizes.length} checkpoints, verified in ${secondsSince(startMs)} s`)
  await judgeAll(t, { folder, log, year })
  await changeOnServer(t, { eventStore, log, year })
})

interface Moving {
  readonly from: string
  readonly folder: string
  readonly log: EventLog
  readonly keep: () => Promise<void>
}

async function moveYear(t: Test, { from, folder, log, keep }: Moving): Promise<void> {
  const source = openSqliteEventLogCopy(join(from, 'whole.sqlite'))
  const { signal } = new AbortController()
  const startMs = performance.now()
  const add = addToServer({ log, clock: createSystemClock(), signal })
  const copied = await copyLog({ from: source, to: { ...log, add }, step: () => {}, signal })
  await source.close()
  if (isRefusal(copied)) throw new Error(copied.message)
  await keep()
  for (const name of ['checkpoints', 'key']) copyFileSync(join(from, name), join(folder, name))
  t.comment(`${copied.added} events moved in ${secondsSince(startMs)} s`)
}

interface Judging {
  readonly folder: string
  readonly log: EventLog
  readonly year: LivedYear
}

async function judgeAll(t: Test, { folder, log, year }: Judging): Promise<void> {
  const events: StoredEvent[] = []
  for await (const batch of everything(log)) events.push(...batch)
  const whole = events.map(keptOf)
  const copy = join(folder, 'copy.sqlite')
  if (!existsSync(copy)) writeCopy(copy, whole)
  const judge = await createJudge(editedLog(events, []), year, false)
  const many = await manyInPython(year.notes, copy)
  t.teardown(() => many.close())
  t.strictSame([judge.whole, many.whole], [null, null])
  const beganMs = performance.now()
  const random = createRandom(18)
  for (let round = 0; round < ROUNDS; round++) {
    const { did, edits } = tamperEvents(whole, EVENT_WAYS[round % EVENT_WAYS.length] ?? 'flip', random)
    const [first, inPython] = await Promise.all([
      judge.firstOf(editedLog(events, edits), did.seq),
      many.firstOf({ edits: forPython(edits), after: did.seq - 1 }),
    ])
    const what = `${did.way} at ${did.seq} of stream ${did.stream}: ${JSON.stringify(first)}`
    if (!first) t.fail(`${did.way} at ${did.seq} was not found`)
    else t.ok(isNamed(first, did, year.sizes), what)
    t.strictSame(inPython, first, what)
    if ((round + 1) % 100 === 0) t.comment(`${round + 1} tamperings in ${secondsSince(beganMs)} s`)
  }
  t.comment(`${ROUNDS} tamperings in ${secondsSince(beganMs)} s`)
}

interface Changing {
  readonly eventStore: OwnEventStore
  readonly log: EventLog
  readonly year: LivedYear
}

/** Changes the position that a heartbeat tells, in the file of the server. */
async function changeOnServer(t: Test, { eventStore, log, year }: Changing): Promise<void> {
  await restartOn(eventStore, (file) => {
    const bytes = readFileSync(file)
    const at = bytes.indexOf('"positionMs":1', bytes.length >> 1)
    t.not(at, -1)
    bytes.write('2', at + '"positionMs":'.length)
    writeFileSync(file, mended(bytes))
  })
  const { whole } = await createJudge(log, year, false)
  t.match(whole, { kind: 'altered', stream: /^playback-/ }, 'changed on the server, read from there')
}

async function restartOn({ server, logFile }: OwnEventStore, work: (file: string) => void): Promise<void> {
  await server.kill()
  work(logFile)
  await server.restart()
}

/** With the checksum of each frame that was changed (test/fakes/event-store/log-file.ts). */
function mended(bytes: Buffer): Buffer {
  for (let at = 0; at + 8 < bytes.length; at += 8 + bytes.readUInt32BE(at)) {
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))), at + 4)
  }
  return bytes
}

const secondsSince = (ms: number): string => ((performance.now() - ms) / 1000).toFixed(1)
