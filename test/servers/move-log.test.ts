/** Moves a household's log from files to servers and back: through `moveLog`, and as a program that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createEsdbEventLog } from '../../src/adapters/esdb/event-log.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { openSqliteEventLogCopy } from '../../src/adapters/sqlite/event-log-copy.ts'
import { createSqliteLogFiller } from '../../src/adapters/sqlite/event-log-fill.ts'
import { isRefusal } from '../../src/domain/refusal.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import { START } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { LogHome } from '../../src/process/move-log.ts'
import type { OfflineCommands } from '../../src/process/open-offline.ts'
import { moveLog } from '../../src/wiring/move-log.ts'
import { overOwnEventStore, startEventStore } from '../fakes/event-store.ts'
import { overStandInMongo } from '../fakes/mongodb.ts'
import { withOfflineData } from '../fixtures/offline-data.ts'
import { testFolder } from '../fixtures/test-folder.ts'
import { logEntry } from '../../src/events/log-entry.ts'
import { grow, leafHash, rootOf, type Hash } from '../../src/events/merkle-tree.ts'

const never = new AbortController().signal
const clock = createSystemClock()
const SECRET = 'the secret of all nodes, which is long enough'
const ROOT = resolve(import.meta.dirname, '../..')

type Env = Readonly<Record<string, string>>

const onServers = (esdb: string, vault: string): Env => ({ MARQUEE_EVENT_LOG: esdb, MARQUEE_VAULT: vault, MARQUEE_SECRET: SECRET })

const addUser = (commands: OfflineCommands, name: string) =>
  commands.addUser({ email: `${name.toLowerCase()}@example.org`, name, password: 'a-known-password', role: 'admin' })

const namesIn = async (commands: OfflineCommands) => (await commands.listUsers()).map(({ name }) => name).toSorted()

async function checkpointOf(commands: OfflineCommands, path: string): Promise<string> {
  const made = await commands.backup({ path }, () => {}, never)
  if (isRefusal(made)) throw new Error(made.message)
  return made.checkpoint
}

const folderHome = (path: string): LogHome => ({ log: { folder: path }, vault: { folder: path }, blobs: join(path, 'blobs') })
const serverHome = (esdb: string, vault: string, blobs: string): LogHome => ({ log: { server: esdb }, vault: { server: vault }, blobs })

interface MoveOptions {
  readonly isLastStep?: boolean
  readonly print?: (line: string) => void
}

const move = (from: LogHome, to: LogHome, { isLastStep = false, print = () => {} }: MoveOptions = {}) =>
  moveLog({ from, to, isLastStep, print, signal: never })

/** A household of three in `data`, with a checkpoint that was signed of it. */
async function household(t: Test) {
  const root = testFolder(t)
  const data = join(root, 'data')
  const checkpoint = await withOfflineData(data, async (commands) => {
    for (const name of ['Ann', 'Ben', 'Cleo']) await addUser(commands, name)
    return checkpointOf(commands, join(root, 'backups'))
  })
  mkdirSync(join(data, 'blobs/uploads/posters'), { recursive: true })
  writeFileSync(join(data, 'blobs/uploads/posters/a.jpg'), 'a picture')
  return { root, data, checkpoint }
}

/** Events of many streams, in turns: no two neighbours fit one append. */
async function addEvents(commands: OfflineCommands, count: number): Promise<void> {
  const users = await commands.listUsers()
  for (let n = 0; n < count; n++) {
    const { id = '' } = users[n % 2] ?? {}
    await commands.enableUser({ user: id, enabled: n % 4 > 1 })
  }
}

async function eventsOf(log: Pick<EventLog, 'head' | 'follow'>): Promise<readonly StoredEvent[]> {
  const [head, events, stop] = [await log.head(), new Array<StoredEvent>(), new AbortController()]
  if (head === START) return events
  for await (const batch of log.follow(START, stop.signal)) {
    events.push(...batch)
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return events
}

/** Without what an engine chooses. */
const bare = (events: readonly StoredEvent[]) => events.map((event) => ({ ...event, position: undefined }))

/** Of the Merkle tree over these events, in hex. */
function rootOver(events: readonly StoredEvent[]): string {
  const frontier: Hash[] = []
  for (const [size, event] of events.entries()) grow(frontier, size, leafHash(logEntry(event)))
  return Buffer.from(rootOf(frontier)).toString('hex')
}

async function eventsInFolder(folder: string): Promise<readonly StoredEvent[]> {
  const log = openSqliteEventLogCopy(join(folder, 'events.sqlite'), { isWritten: true })
  try {
    return await eventsOf(log)
  } finally {
    await log.close()
  }
}

async function eventsOnServer(url: string): Promise<readonly StoredEvent[]> {
  const log = createEsdbEventLog({ url, clock })
  try {
    return await eventsOf(log)
  } finally {
    await log.close()
  }
}

t.test('to servers while the server runs, and back: nothing changes but the positions, and old checkpoints prove', async (t) => {
  await overOwnEventStore(t, (t, { url: esdb }) =>
    overStandInMongo(t, async (t, mongo) => {
      const { root: folder, data, checkpoint } = await household(t)
      const [vault, blobs] = [mongo.url(), join(folder, 'shared')]
      const [files, servers] = [folderHome(data), serverHome(esdb, vault, blobs)]
      await withOfflineData(data, async (commands) => {
        const count = (await eventsInFolder(data)).length
        t.match(await move(files, servers), { events: count, added: count, moved: undefined }, 'the first step')
        t.match(await move(files, servers), { added: 0 })
        await addUser(commands, 'Dan')
        t.match(await move(files, servers), { added: 3 }, 'only what is new')
        t.match(await move(files, servers, { isLastStep: true }), { problem: /A server runs on .*: stop it/ })
      })
      const before = await eventsInFolder(data)
      const moved = await move(files, servers, { isLastStep: true })
      t.match(moved, { events: before.length, moved: { uploads: 1, root: rootOver(before), checkpoint: /^marquee\// } })
      t.strictSame(bare(await eventsOnServer(esdb)), bare(before))
      t.equal(readFileSync(join(blobs, 'uploads/posters/a.jpg'), 'utf8'), 'a picture')
      const notes = [checkpoint, 'moved' in moved && moved.moved ? moved.moved.checkpoint : '']
      let erased = ''
      await withOfflineData(
        join(folder, 'node'),
        async (commands) => {
          t.strictSame(await namesIn(commands), ['Ann', 'Ben', 'Cleo', 'Dan'])
          const verified = await commands.verify({ checkpoints: notes.join('') }, () => {}, never)
          t.match(verified, { problems: [], faults: [], first: null, notes: { compared: 2 } })
          await addUser(commands, 'Eve')
          const ben = (await commands.listUsers()).find(({ name }) => name === 'Ben')
          erased = ben?.id ?? ''
          await commands.eraseUser({ user: erased })
        },
        onServers(esdb, vault),
      )
      const more = (await eventsOnServer(esdb)).length - before.length
      t.match(await move(servers, files), { added: more }, 'back into the folder that has the beginning')
      const root = rootOver(await eventsOnServer(esdb))
      t.match(await move(servers, files, { isLastStep: true }), { added: 0, moved: { root } })
      t.notOk(existsSync(join(data, 'moving')))
      const after = await eventsInFolder(data)
      t.strictSame(bare(after), bare(await eventsOnServer(esdb)))
      t.strictSame(
        after.map(({ position }) => Number(position)),
        after.map((_, n) => n + 1),
      )
      await withOfflineData(data, async (commands) => {
        t.strictSame(await namesIn(commands), ['Ann', 'Cleo', 'Dan', 'Eve'])
        const verified = await commands.verify({ checkpoints: notes.join('') }, () => {}, never)
        t.match(verified, { problems: [], faults: [], first: null, notes: { compared: 2 } })
      })
      const keys = new DatabaseSync(join(data, 'vault.sqlite'), { readOnly: true })
      t.strictSame(
        { ...keys.prepare('select key from keys where subject = ?').get(erased) },
        { key: null },
        'the erased person stays erased',
      )
      keys.close()
    }),
  )
})

/** Starts the move as a person does, and kills it once `isTime`. Gives whether it was cut off. */
async function killedMove(args: readonly string[], data: string, isTime: () => Promise<boolean>): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/cli.ts'), 'move-log', ...args], {
    env: { PATH: process.env['PATH'], MARQUEE_DATA_DIR: data },
    cwd: data,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !(await isTime())) await sleep(5)
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

t.test('a move that is killed half way continues there, in both directions', async (t) => {
  await overOwnEventStore(t, (t, { url: esdb }) =>
    overStandInMongo(t, async (t, mongo) => {
      const { root, data, checkpoint } = await household(t)
      await withOfflineData(data, (commands) => addEvents(commands, 700))
      const [vault, back] = [mongo.url(), join(root, 'back')]
      const before = await eventsInFolder(data)
      const log = createEsdbEventLog({ url: esdb, clock })
      const isHalfWay = async () => (await log.head()) > START && (await eventsOf(log)).length > 100
      t.ok(await killedMove([data, esdb, '--to-vault', vault], data, isHalfWay))
      const half = (await eventsOf(log)).length
      t.ok(half > 100 && half < before.length, `${half} of ${before.length} events were there`)
      await log.close()
      const [files, servers] = [folderHome(data), serverHome(esdb, vault, join(data, 'blobs'))]
      t.match(await move(files, servers), { events: before.length, added: before.length - half })
      t.match(await move(files, servers, { isLastStep: true }), { moved: { root: /./ } })
      t.strictSame(bare(await eventsOnServer(esdb)), bare(before))

      const staged = join(back, 'moving/events.sqlite')
      await killedMove([esdb, back, '--from-vault', vault], data, async () => existsSync(staged))
      t.match(await move(servers, folderHome(back), { isLastStep: true }), { events: before.length, moved: { uploads: 1 } })
      t.strictSame(bare(await eventsInFolder(back)), bare(before))
      await withOfflineData(back, async (commands) => {
        t.strictSame(await namesIn(commands), ['Ann', 'Ben', 'Cleo'])
        t.match(await commands.verify({ checkpoints: checkpoint }, () => {}, never), { problems: [], faults: [], notes: { compared: 1 } })
      })
    }),
  )
})

t.test('another log, another vault and a log that goes on are refused, and nothing is put in place', async (t) => {
  const esdb = await startEventStore()
  t.teardown(() => esdb.server.stop())
  const { root, data } = await household(t)
  const [other, target] = [join(root, 'other'), join(root, 'target')]
  await withOfflineData(other, (commands) => addUser(commands, 'Zoe'))
  t.match(await move(folderHome(other), { ...serverHome(esdb.url, '', target), vault: { folder: target } }), {
    added: (await eventsInFolder(other)).length,
  })
  const onServer = { ...serverHome(esdb.url, '', target), vault: { folder: target } }
  t.match(await move(folderHome(data), onServer), { problem: /The other log is not the beginning of this one: its event 1 / })
  t.match(await move(folderHome(data), folderHome(other)), { problem: /not the beginning/ })
  t.match(await move(folderHome(join(root, 'nowhere')), folderHome(target)), { problem: /There is no event log/ })

  const wrongVault = { ...folderHome(data), vault: { folder: other } }
  t.match(await move(wrongVault, folderHome(target), { isLastStep: true }), { problem: /is not the one of this log/ })
  const taken = { ...folderHome(target), vault: { folder: other } }
  t.match(await move(folderHome(data), taken, { isLastStep: true }), { problem: /belongs to another installation/ })
  t.notOk(existsSync(join(target, 'events.sqlite')))

  const [last] = (await eventsInFolder(data)).slice(-1)
  const goOn = (): void => {
    const filler = createSqliteLogFiller(join(data, 'events.sqlite'))
    if (last) filler.add([{ ...last, id: '01234567-89ab-cdef-0123-456789abcdef', revision: last.revision + 1 }])
    filler.close()
  }
  t.match(await move(folderHome(data), folderHome(target), { isLastStep: true, print: goOn }), { problem: /Something still writes/ })
  t.notOk(existsSync(join(target, 'events.sqlite')))
})

t.test('a copy that was changed does not verify, and is not put in place', async (t) => {
  const { root, data } = await household(t)
  const target = join(root, 'target')
  await move(folderHome(data), folderHome(target))
  const db = new DatabaseSync(join(target, 'moving/events.sqlite'))
  db.exec(`update events set data = '{"changed":true}' where position = 2`)
  db.close()
  t.match(await move(folderHome(data), folderHome(target), { isLastStep: true }), { problem: /does not verify/ })
  t.notOk(existsSync(join(target, 'events.sqlite')))
})
