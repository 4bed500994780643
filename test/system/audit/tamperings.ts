/** Ways to tamper with an event log's file, for an attacker who has the file and knows how Marquee computes its hashes. */
import { DatabaseSync } from 'node:sqlite'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { encode } from '../../../src/events/codec.ts'
import type { JsonObject, Metadata } from '../../../src/events/envelope.ts'
import { named } from '../../fixtures/names.ts'
import type { Random } from '../../fixtures/random.ts'

export const TAMPERINGS = ['flip', 'drop', 'drop and close up', 'swap', 'insert', 'truncate', 'rewrite', 'date'] as const
export type Way = (typeof TAMPERINGS)[number]

export interface Tampering {
  readonly way: Way
  /** The first affected event. */
  readonly seq: number
  readonly stream: string
}

interface Row {
  readonly position: number
  readonly stream: number
  readonly name: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

const AWAY = 1_000_000_000
const LATER_MS = 12 * 3_600_000

export function tamper(file: string, way: Way, random: Random): Tampering {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma foreign_keys = off; pragma journal_mode = delete; pragma synchronous = off')
    const last = Number(db.prepare('select max(position) as last from events').get()?.['last'])
    const select = db.prepare('select e.*, s.name as name from events as e join streams as s on s.id = e.stream where e.position = ?')
    // Not among the last ones, so that a second event can be chosen after it.
    const row = select.get(1 + random.below(last - 10)) as unknown as Row | undefined
    if (!row) throw new Error('The log is empty')
    WAYS[way](db, { row, random })
    return { way, seq: row.position, stream: row.name }
  } finally {
    db.close()
  }
}

interface Choice {
  readonly row: Row
  readonly random: Random
}

const WAYS: Readonly<Record<Way, (db: DatabaseSync, choice: Choice) => void>> = {
  /** One character of the data or metadata, whatever the result. */
  flip(db, { row, random }) {
    const column = random.pick(['data', 'metadata'] as const)
    const text = row[column]
    // Letters of names and digits of hashes: between quotes, so that most results stay valid JSON.
    const at = random.pick([...text.matchAll(/[a-z0-9]/g)].map(({ index }) => index))
    const other = text[at] === '7' ? '6' : '7'
    db.prepare(`update events set ${column} = ? where position = ?`).run(text.slice(0, at) + other + text.slice(at + 1), row.position)
  },
  drop(db, { row }) {
    db.prepare('delete from events where position = ?').run(row.position)
  },
  'drop and close up'(db, { row }) {
    db.prepare('delete from events where position = ?').run(row.position)
    move(db, row.position + 1, -1)
  },
  swap(db, { row, random }) {
    const other = row.position + 1 + random.below(5)
    const set = db.prepare('update events set position = ? where position = ?')
    set.run(AWAY, row.position)
    set.run(row.position, other)
    set.run(other, AWAY)
  },
  /** One more event of the same stream, with a hash that continues the chain. */
  insert(db, { row, random }) {
    move(db, row.position, 1)
    const place = { stream: row.name, revision: row.revision, prev: prevOf(row) }
    const id = `10000000-0000-4000-8000-${String(random.below(1e9)).padStart(12, '0')}`
    const origin = { at: (JSON.parse(row.metadata) as Metadata).at, actor: 'system' }
    const forged = encode(id, { type: 'LibraryRenamed', data: { libraryId: named<'library'>('films'), name: 'forged' } }, origin, place)
    db.prepare('update events set revision = revision + 1000000 where stream = ? and revision >= ?').run(row.stream, row.revision)
    db.prepare('update events set revision = revision - 999999 where stream = ? and revision >= 1000000').run(row.stream)
    db.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?)').run(
      row.position,
      row.stream,
      row.revision,
      id,
      'LibraryRenamed',
      JSON.stringify(forged.data),
      JSON.stringify(forged.metadata),
    )
    rehash(db, row.stream)
  },
  truncate(db, { row }) {
    db.prepare('delete from events where position >= ?').run(row.position)
  },
  /** Other content, and a recomputed hash chain of the whole stream. */
  rewrite(db, { row }) {
    db.prepare("update events set data = json_set(data, '$.name', 'forged') where position = ?").run(row.position)
    rehash(db, row.stream)
  },
  /** A later time, and recomputed hashes. */
  date(db, { row }) {
    const at = new Date(Date.parse((JSON.parse(row.metadata) as Metadata).at) + LATER_MS).toISOString()
    db.prepare("update events set metadata = json_set(metadata, '$.at', ?) where position = ?").run(at, row.position)
    rehash(db, row.stream)
  },
}

const prevOf = ({ metadata }: Row): string => (JSON.parse(metadata) as Metadata).prev

function move(db: DatabaseSync, from: number, by: number): void {
  db.prepare('update events set position = position + ? where position >= ?').run(AWAY, from)
  db.prepare('update events set position = position - ? where position >= ?').run(AWAY - by, AWAY)
}

function rehash(db: DatabaseSync, stream: number): void {
  const rows = db
    .prepare('select e.*, s.name as name from events as e join streams as s on s.id = e.stream where e.stream = ? order by e.revision')
    .all(stream) as unknown as readonly Row[]
  let prev = ''
  for (const { position, name, revision, id, type, data, metadata } of rows) {
    const { v: _v, prev: _prev, hash: _hash, ...origin } = JSON.parse(metadata) as Metadata
    const event = { type, data: JSON.parse(data) as JsonObject } as unknown as DomainEvent
    const made = encode(id, event, origin, { stream: name, revision, prev })
    db.prepare('update events set metadata = ? where position = ?').run(JSON.stringify(made.metadata), position)
    prev = made.metadata.hash
  }
}
