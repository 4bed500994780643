/**
 * Runs `verify` as people do: on a running server, on the folder of a stopped one, and on a copied log; each untouched and tampered with.
 * It leaves the folder unchanged.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { notesIn } from '../../../src/app/audit/signed-note.ts'
import type { Metadata } from '../../../src/events/envelope.ts'
import { ADMIN, signIn, startServer } from '../whole/server-process.ts'
import { runMarquee } from './marquee-command.ts'

interface Row {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly at: string
}

function rowsOf(file: string): readonly Row[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select e.*, s.name from events as e join streams as s on s.id = e.stream order by e.position').all()
  db.close()
  return rows.map(({ position, name, revision, metadata }) => ({
    position: Number(position),
    stream: String(name),
    revision: Number(revision),
    at: (JSON.parse(String(metadata)) as Metadata).at,
  }))
}

function onFile(file: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file)
  db.exec('pragma foreign_keys = off')
  work(db)
  db.close()
}

const cutFrom = (file: string, position: number): void =>
  onFile(file, (db) => db.prepare('delete from events where position >= ?').run(position))

/** Returns a function that undoes the change. */
function changeByte(file: string, position: number): () => void {
  let before = ''
  onFile(file, (db) => {
    before = String(db.prepare('select data from events where position = ?').get(position)?.['data'])
    const at = before.search(/[a-z0-9](?=[^"]*"[,}])/)
    const after = before.slice(0, at) + (before[at] === '7' ? '6' : '7') + before.slice(at + 1)
    db.prepare('update events set data = ? where position = ?').run(after, position)
  })
  return () => onFile(file, (db) => db.prepare('update events set data = ? where position = ?').run(before, position))
}

function swap(file: string, one: number, other: number): void {
  onFile(file, (db) => {
    const move = db.prepare('update events set position = ? where position = ?')
    move.run(1e9, one)
    move.run(one, other)
    move.run(other, 1e9)
  })
}

/** The expected name of a row's event in the output. */
const named = (seq: number, rows: readonly Row[]): string => {
  const row = rows[seq - 1]
  return `the event with seq ${seq} (${row?.stream}, event ${row?.revision}, ${row?.at})`
}

/** Names and contents of all files in a folder. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(names.toSorted().map((name) => [name, digest(join(folder, name))]))
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** A server with a little history: its folder after its stop, its key and its checkpoints. */
async function lived(dataDir: string, file: string): Promise<string> {
  const server = await startServer({ dataDir, env: { MARQUEE_CHECKPOINT_FILE: file } })
  const api = await signIn(server.url)
  for (let n = 0; n < 6; n++) {
    await api.send('POST', '/v1/users', { email: `user${n}@example.org`, name: `Eve ${n}`, password: 'a-long-password', role: 'user' })
    await signIn(server.url, ADMIN)
  }
  const key = /marquee\/\S+\+[0-9a-f]{8}\+\S+/.exec(server.output())?.[0]
  t.match(await runMarquee(dataDir, 'verify'), { code: 0, text: /every chain holds\./ }, 'running, as it was written')
  t.match(await runMarquee(dataDir, 'verify', '--checkpoint', file), { code: 0, text: /and so (do|does) \d+ checkpoint/ })
  const log = join(dataDir, 'events.sqlite')
  const putBack = changeByte(log, 12)
  t.match(await runMarquee(dataDir, 'verify'), { code: 1, text: named(12, rowsOf(log)) }, 'running, with one byte changed')
  putBack()
  await server.end('SIGTERM')
  return key ?? ''
}

t.test(
  'verify names what was done to a running server, to a stopped folder and to a copy, and writes nothing',
  { timeout: 300_000 },
  async (t) => {
    const base = t.testdir({ data: {}, tampered: {}, copy: {} })
    const [dataDir, notes] = [join(base, 'data'), join(base, 'checkpoints')]
    const key = await lived(dataDir, notes)
    const log = join(dataDir, 'events.sqlite')
    const rows = rowsOf(log)
    const last = rows.length
    const sizes = notesIn(readFileSync(notes, 'utf8')).map((note) => Number(note.split('\n')[1]))
    t.ok(sizes.length >= 2, 'one at the start, one at the stop')
    t.equal(sizes.at(-1), last - 1, 'the last one holds all but its own seal')

    async function untouched(folder: string, ...args: readonly string[]) {
      const before = contentsOf(folder)
      const outcome = await runMarquee(folder, 'verify', ...args)
      t.strictSame(contentsOf(folder), before, 'nothing was written')
      return outcome
    }
    t.match(await untouched(dataDir), { code: 0, text: `${last} events in ` })
    t.match(await untouched(dataDir, '--checkpoint', notes), { code: 0, text: /and so (do|does) \d+ checkpoint/ }, 'with its own keys')

    const one = rows.findIndex(({ stream }, n) => n > 5 && stream !== rows[n + 1]?.stream) + 1
    const ways: readonly (readonly [what: string, work: (file: string) => void, named: string])[] = [
      ['end cut off', (file) => cutFrom(file, last - 2), named(last - 2, rows)],
      ['byte changed', (file) => void changeByte(file, 9), named(9, rows)],
      [
        'rows swapped',
        (file) => swap(file, one, one + 1),
        `event ${rows[one - 1]?.revision} of stream ${rows[one - 1]?.stream} is not in its place before the event with seq ${one} (`,
      ],
    ]
    for (const [what, work, text] of ways) {
      const [folder, copy] = [join(base, 'tampered', what), join(base, 'copy', what)]
      cpSync(dataDir, folder, { recursive: true })
      work(join(folder, 'events.sqlite'))
      t.match(await untouched(folder), { code: 1, text }, `stopped, with its ${what}: by what the read models hold`)
      rmSync(join(folder, 'read-models.sqlite'))
      t.match(
        await untouched(folder, '--checkpoint', notes),
        { code: 1, text: /First difference: .*seq \d+/ },
        `stopped, with its ${what}: by checkpoints`,
      )
      mkdirSync(copy)
      copyFileSync(join(folder, 'events.sqlite'), join(copy, 'log.sqlite'))
      const outcome = await untouched(copy, '--log', join(copy, 'log.sqlite'), '--checkpoint', notes, '--key', key)
      t.match(outcome, { code: 1, text: /First difference: .*seq \d+/ }, `a copy with its ${what}`)
      if (what === 'byte changed') t.match(outcome, { text: named(9, rows) })
    }
    const copy = join(base, 'copy')
    copyFileSync(log, join(copy, 'log.sqlite'))
    t.match(await runMarquee(copy, 'verify', '--log', join(copy, 'log.sqlite'), '--checkpoint', notes, '--key', key), { code: 0 })
  },
)
