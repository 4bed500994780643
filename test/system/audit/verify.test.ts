/** A copied log: `verify --log` and an independent verifier in Python name the same first difference of tampered copies. */
import { execFile } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { noteKey, signedCheckpoint, type NoteKey } from '../../../src/app/audit/signed-note.ts'
import { encode } from '../../../src/events/codec.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { logEntry } from '../../../src/events/log-entry.ts'
import { grow, leafHash, rootOf, type Hash } from '../../../src/events/merkle-tree.ts'
import { toPosition } from '../../../src/events/position.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'
import { tamper, TAMPERINGS, type Tampering } from './tamperings.ts'
import { firstOf, isNamed, python, pythonOn } from './verifiers.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const EVENTS = 120
const EVERY = 10
/** `MARQUEE_TEST_TAMPERINGS=1000` makes more of them. */
const ROUNDS = Number(process.env['MARQUEE_TEST_TAMPERINGS'] ?? 1_000)
const SIZES = Array.from({ length: EVENTS / EVERY }, (_, n) => (n + 1) * EVERY)
const KEY = noteKey(Buffer.alloc(32, 7))

/** Events of a few streams, with contents whose canonical JSON differs from their JSON. */
function eventsOf(random: Random): readonly StoredEvent[] {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>()
  return Array.from({ length: EVENTS }, (_, n) => {
    const stream = `library-${random.below(5)}`
    const { revision, hash } = ends.get(stream) ?? { revision: -1, hash: '' }
    const name = `Größe "${n}" \u{1F37F}\uFB33\t${random.below(2) === 0 ? '\uD800' : ''}\u007F`
    const data = { name, libraryId: named<'library'>('films'), weight: random.pick([1e21, 0.1, 5e-7, -3, 2 ** 53]) }
    const event = { type: 'LibraryRenamed', data } as const
    const origin = { at: iso(NOON + n * 1000), actor: 'system' }
    const encoded = encode(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, event, origin, {
      stream,
      revision: revision + 1,
      prev: hash,
    })
    ends.set(stream, { revision: revision + 1, hash: encoded.metadata.hash })
    return { ...encoded, stream, revision: revision + 1, position: toPosition(n + 1) }
  })
}

function checkpointsOf(events: readonly StoredEvent[], keysAt: (size: number) => readonly [NoteKey, ...NoteKey[]] = () => [KEY]): string {
  const frontier: Hash[] = []
  let notes = ''
  for (const [n, event] of events.entries()) {
    grow(frontier, n, leafHash(logEntry(event)))
    if ((n + 1) % EVERY === 0) notes += `${signedCheckpoint({ size: n + 1, root: rootOf(frontier) }, ...keysAt(n + 1))}\n`
  }
  return notes
}

async function write(file: string, events: readonly StoredEvent[]): Promise<void> {
  const log = createSqliteEventLog({ clock: createSystemClock(), file })
  for (const { stream, revision, id, type, data, metadata } of events) {
    await log.append(stream, revision === 0 ? 'absent' : revision - 1, [{ id, type, data, metadata }])
  }
  await log.close()
}

t.test('tampered copies are all named, by ours and by an independent verifier alike', async (t) => {
  if (!python) return tellMissing(t, 'python3', 'The independent verifier is a program in Python.')
  const folder = testFolder(t)
  const random = createRandom(16)
  const events = eventsOf(random)
  const [whole, notes] = [join(folder, 'whole.sqlite'), join(folder, 'checkpoints')]
  const checkpoints = checkpointsOf(events)
  const kept = { checkpoints, key: KEY.verifier }
  writeFileSync(notes, checkpoints)
  await write(whole, events)
  t.equal(await firstOf(whole, kept), null)
  t.strictSame(pythonOn(notes, [whole]), { firsts: [null], code: 0 })

  const made: { readonly file: string; readonly did: Tampering }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const file = join(folder, `tampered-${round}.sqlite`)
    copyFileSync(whole, file)
    made.push({ file, did: tamper(file, TAMPERINGS[round % TAMPERINGS.length] ?? 'flip', random) })
  }
  const { firsts, code } = pythonOn(
    notes,
    made.map(({ file }) => file),
  )
  t.equal(code, 1)
  let exact = 0
  for (const [n, { file, did }] of made.entries()) {
    const first = await firstOf(file, kept)
    if (!first) {
      t.fail(`${did.way} at ${did.seq} was not found`)
      continue
    }
    t.strictSame(firsts[n], first, `${did.way} at ${did.seq}: both say the same`)
    t.ok(isNamed(first, did, SIZES), `${did.way} at ${did.seq} of stream ${did.stream}: ${JSON.stringify(first)}`)
    if (first.upTo === first.seq) exact++
  }
  t.comment(`${ROUNDS} tamperings, ${exact} of them named to the event, the others between two checkpoints`)
  t.equal(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name)).length, 0, 'nothing is left beside a copy')
})

t.test('the command line says which event it is, and ends with 1', async (t) => {
  const folder = testFolder(t)
  const events = eventsOf(createRandom(17))
  const [file, notes] = [join(folder, 'copy.sqlite'), join(folder, 'checkpoints')]
  const keys = [KEY, noteKey(Buffer.alloc(32, 8), KEY.name), noteKey(Buffer.alloc(32, 9), KEY.name)] as const
  // Two rotations: each note is signed with the current key and the previous one.
  writeFileSync(
    notes,
    checkpointsOf(events, (size) => (size <= 40 ? [keys[0]] : size <= 80 ? [keys[1], keys[0]] : [keys[2], keys[1]])),
  )
  await write(file, events)
  const verify = (...args: readonly string[]) =>
    new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
      const all = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'verify', '--log', file, ...args]
      const env = { ...process.env, INIT_CWD: process.cwd(), MARQUEE_DATA_DIR: join(folder, 'nowhere') }
      const child = execFile(process.execPath, all, { env }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, text: stdout + stderr }),
      )
    })
  const given = ['--checkpoint', notes, ...keys.flatMap(({ verifier }) => ['--key', verifier])]
  t.match(await verify('--checkpoint', notes, '--key', KEY.verifier), {
    code: 0,
    text: '4 checkpoints skipped: no key that was given has signed them.\n120 events in 5 streams: every chain holds, and so do 8 checkpoints.\n',
  })
  t.match(await verify('--checkpoint', notes, '--key', noteKey(Buffer.alloc(32, 10)).verifier), { code: 1, text: /None of these keys/ })
  t.match(await verify(...given), { code: 0, text: '120 events in 5 streams: every chain holds, and so do 12 checkpoints.\n' })
  t.match(await verify('--checkpoint', notes), { code: 1, text: /--key/ })
  const db = new DatabaseSync(file)
  db.exec(`update events set data = replace(data, 'films', 'other'), metadata = metadata where position = 42;
    update events set data = json_set(data, '$.name', 'forged') where position = 42`)
  db.close()
  const { stream, revision, metadata } = events[41] ?? {}
  t.match(await verify(...given), {
    code: 1,
    text: `First difference: the event with seq 42 (${stream}, event ${revision}, ${metadata?.at}) is not what was written.`,
  })
})
