import t from 'tap'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { START } from '../../src/events/position.ts'
import type { LibraryId } from '../../src/vocabulary/id.ts'
import { appendMovies } from '../bench/movies.ts'
import { StorageTrouble } from '../../src/ports/server.ts'
import { createStorageWatch, refusingWhenFull } from '../../src/wiring/storage-watch.ts'

const ROOM = 1e9

function watched(folder: string, room = async () => ROOM, holdsCachesOnly = false) {
  const clock = createTestClock()
  const { promise, resolve } = Promise.withResolvers<void>()
  const said: string[] = []
  const print = (line: string): void => {
    said.push(line)
    resolve()
  }
  const watch = createStorageWatch({ folder, files: [join(folder, 'events.sqlite')], holdsCachesOnly, clock, report: print, room })
  watch.begin()
  return { clock, said, told: promise, watch }
}

/** Checks access the disk: advances the clock until one of them has reported something. */
async function until(seen: () => boolean, advance: () => Promise<void>): Promise<void> {
  while (!seen()) await advance()
}

t.test('a folder that is moved away is reported once, and once more when it is back', async (t) => {
  const folder = join(t.testdir(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'events.sqlite'), '')
  const { clock, said, watch } = watched(folder)
  const step = () => clock.advance(250)
  renameSync(folder, `${folder}-away`)
  await until(() => said.length > 0, step)
  t.match(said, [/^The data folder .* was deleted, moved or replaced under this server/])
  t.match(watch.reason(), /deleted, moved or replaced under this server: nothing is stored any more/)
  t.notMatch(watch.reason(), folder, 'anybody may ask')
  renameSync(`${folder}-away`, folder)
  await until(() => said.length > 1, step)
  t.match(said, [/./, /commands are accepted again/])
  t.equal(watch.reason(), undefined)
  watch.stop()
})

t.test('a full disk is reported once, however many writes fail, until there is room', async (t) => {
  const folder = t.testdir({ 'events.sqlite': '' })
  let bytes = 1000
  const { clock, said, watch } = watched(folder, async () => bytes)
  for (const file of ['events.sqlite', 'read-models.sqlite']) watch.noticed(new StorageTrouble('disk-full', join(folder, file)))
  t.match(watch.reason(), /^The disk is full/)
  await clock.advance(10_000)
  t.match(watch.reason(), /^The disk is full/)
  bytes = ROOM
  await until(
    () => said.length > 1,
    () => clock.advance(1000),
  )
  t.match(said, [/The disk is full: .*events\.sqlite cannot grow/, /there is room on the disk again/])
  t.equal(watch.reason(), undefined)
  watch.stop()
})

t.test('while the disk is full, nothing is appended to the log, and it is again as soon as there is room', async (t) => {
  let bytes = ROOM
  const { clock, watch } = watched(t.testdir({ 'events.sqlite': '' }), async () => bytes)
  const log = createMemoryEventLog()
  const film = () =>
    appendMovies(refusingWhenFull(log, watch), createTestIds({ series: 'e' }), { count: 1, libraryIds: ['l' as LibraryId] })
  bytes = 1_000_000
  await until(
    () => watch.refusal() !== undefined,
    () => clock.advance(250),
  )
  await t.rejects(film(), { code: 'disk-full' })
  t.equal(await log.head(), START)
  bytes = ROOM
  await until(
    () => watch.refusal() === undefined,
    () => clock.advance(250),
  )
  await film()
  t.not(await log.head(), START)
  watch.stop()
})

t.test('a full disk with nothing but caches on it is a warning', async (t) => {
  let bytes = 1000
  const { clock, said, watch } = watched(t.testdir({ 'events.sqlite': '' }), async () => bytes, true)
  const step = () => clock.advance(250)
  await until(() => said.length > 0, step)
  t.match(said, [/is full: nothing can be cached there/])
  t.equal(watch.reason(), undefined)
  t.match(watch.warning(), /^The disk of the data folder is full/)
  t.equal(watch.refusal(), undefined)
  bytes = ROOM
  await until(() => said.length > 1, step)
  t.match(said[1], /there is room on the disk again/)
  t.equal(watch.warning(), undefined)
  watch.stop()
})

t.test('a damaged file is a reason not to be ready only while somebody meets the damage: the rest of it serves', async (t) => {
  const folder = t.testdir({ 'events.sqlite': '' })
  const { clock, said, watch } = watched(folder)
  watch.noticed(new StorageTrouble('damaged', join(folder, 'vault.sqlite')))
  t.match(said, [/vault\.sqlite is damaged\. Stop Marquee, keep a copy of the file, and restore it from a backup\./])
  t.match(watch.reason(), /^A file in the data folder is damaged: stop the server/)
  await until(
    () => said.length > 1,
    () => clock.advance(1000),
  )
  t.equal(watch.reason(), undefined)
  t.match(said[1], /but the file is damaged still/)
  watch.stop()
})
