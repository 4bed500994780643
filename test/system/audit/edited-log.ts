/** Logs that are one whole log with edits, and a file of the whole one for the verifier in Python. */
import { DatabaseSync } from 'node:sqlite'
import type { ReadableLog } from '../../../src/app/operator/verification.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { START } from '../../../src/events/position.ts'
import { UnreadableEvent } from '../../../src/ports/event-log.ts'
import { readAgain, type Edit, type Kept } from './tampered-events.ts'

const BATCH = 500

/** The events that are as they were stay the same objects. */
export function editedLog(whole: readonly StoredEvent[], edits: readonly Edit[]): ReadableLog {
  const events: (StoredEvent | UnreadableEvent)[] = []
  let reached = 0
  for (const [index, removed, added] of edits) {
    for (; reached < index; reached++) events.push(whole[reached]!)
    events.push(...added.map(readAgain))
    reached += removed
  }
  for (; reached < whole.length; reached++) events.push(whole[reached]!)
  const positionOf = (one: StoredEvent | UnreadableEvent | undefined) =>
    (one instanceof UnreadableEvent ? one.place.position : one?.position) ?? START
  return {
    head: async () => positionOf(events.at(-1)),
    async *follow(after) {
      for (let at = events.findIndex((one) => positionOf(one) > after); at !== -1 && at < events.length;) {
        const page = events.slice(at, at + BATCH)
        const broken = page.findIndex((one) => one instanceof UnreadableEvent)
        const batch = (broken === -1 ? page : page.slice(0, broken)) as readonly StoredEvent[]
        if (batch.length > 0) yield batch
        if (broken !== -1) throw page[broken]
        at += batch.length
      }
    },
  }
}

/** As verify_log.py reads it; positions follow each other. */
export function writeCopy(file: string, whole: readonly Kept[]): void {
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off; begin; create table streams (id integer primary key, name text unique);
    create table events (position integer primary key, stream integer, revision integer, id text, type text, data text, metadata text)`)
  const addStream = db.prepare('insert or ignore into streams (name) values (?)')
  const add = db.prepare('insert into events select ?, id, ?, ?, ?, ?, ? from streams where name = ?')
  for (const [index, { stream, revision, id, type, data, metadata }] of whole.entries()) {
    if (revision === 0) addStream.run(stream)
    add.run(index + 1, revision, id, type, data, metadata, stream)
  }
  db.exec('commit')
  db.close()
}

/** As verify_many.py takes them. */
export const forPython = (edits: readonly Edit[]): readonly unknown[] =>
  edits.map(([index, removed, added]) => [
    index,
    removed,
    added.map(({ stream, revision, id, type, data, metadata }) => [stream, revision, id, type, data, metadata]),
  ])
