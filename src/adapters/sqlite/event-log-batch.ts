/** Writes a batch of appends in one transaction; each is checked separately against the state that the previous ones have written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isSyncFailure } from './connection.ts'
import { createHeadKeeper, type HeadedEvent } from './event-log-head.ts'
import { troubleOf } from './storage-trouble.ts'
import type { AppendAnswer, AppendOrder } from './event-log-messages.ts'

interface Statements {
  readonly streamId: StatementSync
  readonly addStream: StatementSync
  readonly lastRevision: StatementSync
  readonly place: StatementSync
  readonly positionOf: StatementSync
  readonly addEvent: StatementSync
}

/** `stored`: the events that this batch has stored so far. */
type Writing = Statements & { readonly stored: HeadedEvent[] }

/** Revision of a stream that does not exist; `absent` expects it. */
const ABSENT = -1

/** `missed`: the path of a file that is no longer the one that was opened. Then nothing is acknowledged. */
export function createBatchWriter(
  db: DatabaseSync,
  missed: () => string | undefined,
): (batch: readonly AppendOrder[]) => readonly AppendAnswer[] {
  const statements = prepare(db)
  const keepHead = createHeadKeeper(db)
  return (batch) => {
    const failed = (outcome: 'refused' | 'unknown', error: unknown): readonly AppendAnswer[] => {
      if (db.isTransaction) db.exec('rollback')
      const trouble = outcome === 'refused' ? troubleOf(error) : undefined
      const message = error instanceof Error ? error.message : String(error)
      return batch.map(({ order }) => (trouble ? { order, outcome: 'trouble', trouble, message } : { order, outcome, message }))
    }
    const gone = missed()
    if (gone !== undefined) return batch.map(({ order }) => ({ order, outcome: 'trouble', trouble: 'files-gone', message: gone }))
    let answers: readonly AppendAnswer[]
    try {
      db.exec('begin immediate')
      const stored: HeadedEvent[] = []
      answers = batch.map((append) => write({ ...statements, stored }, append))
      keepHead(stored)
    } catch (error) {
      return failed('refused', error)
    }
    try {
      db.exec('commit')
    } catch (error) {
      return failed(isSyncFailure(error) ? 'unknown' : 'refused', error)
    }
    // A commit made just before the file disappeared may or may not be in it.
    const lost = missed()
    return lost === undefined ? answers : failed('unknown', new Error(`${lost} was deleted, moved or replaced`))
  }
}

function prepare(db: DatabaseSync): Statements {
  return {
    streamId: db.prepare('select id from streams where name = ?'),
    addStream: db.prepare('insert into streams (name) values (?)'),
    lastRevision: db.prepare('select max(revision) as revision from events where stream = ?'),
    place: db.prepare('select stream, revision from events where id = ?'),
    positionOf: db.prepare('select position from events where stream = ? and revision = ?'),
    addEvent: db.prepare('insert into events (stream, revision, id, type, data, metadata) values (?, ?, ?, ?, ?, ?)'),
  }
}

function write(statements: Writing, append: AppendOrder): AppendAnswer {
  const { order, expected } = append
  const stream = numberOf(statements.streamId.get(append.stream)?.['id'])
  const last = stream === undefined ? ABSENT : (numberOf(statements.lastRevision.get(stream)?.['revision']) ?? ABSENT)
  if (last === (expected === 'absent' ? ABSENT : expected)) return store(statements, append, stream, last + 1)
  const repeated = stream === undefined ? undefined : firstAnswer(statements, append, stream)
  return repeated ?? { order, outcome: 'conflict', actual: last === ABSENT ? 'absent' : last }
}

function store(statements: Writing, append: AppendOrder, known: number | undefined, first: number): AppendAnswer {
  const { order, events } = append
  const stranger = events.find(({ id }) => statements.place.get(id))
  if (stranger) return { order, outcome: 'refused', message: `An event with the id ${stranger.id} stands elsewhere in the log` }
  const stream = known ?? Number(statements.addStream.run(append.stream).lastInsertRowid)
  let position = 0
  for (const [index, { id, type, data, metadata }] of events.entries()) {
    position = Number(statements.addEvent.run(stream, first + index, id, type, data, metadata).lastInsertRowid)
    statements.stored.push({ position, stream: append.stream, revision: first + index, id, metadata })
  }
  return { order, outcome: 'stored', revision: first + events.length - 1, position, isRepeated: false }
}

/** The first answer to the same append; undefined if this is another one. */
function firstAnswer(statements: Statements, append: AppendOrder, stream: number): AppendAnswer | undefined {
  const { order, expected, events } = append
  const first = expected === 'absent' ? 0 : expected + 1
  const stands = events.every(({ id }, index) => {
    const place = statements.place.get(id)
    return place?.['stream'] === stream && place['revision'] === first + index
  })
  const revision = first + events.length - 1
  const position = stands ? numberOf(statements.positionOf.get(stream, revision)?.['position']) : undefined
  return position === undefined ? undefined : { order, outcome: 'stored', revision, position, isRepeated: true }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
