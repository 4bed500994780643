/** Dispatches commands and handles their replies: retries, transactions, write concern, faults. */
import type { Document } from 'mongodb'
import { failure, isFailure, replyOf, RETRYABLE } from './failures.ts'
import type { Member } from './member.ts'
import { aggregate, count, createCursors, find } from './reads.ts'
import { schemaCommands } from './schema.ts'
import { createSessions } from './sessions.ts'
import type { Store, View } from './store.ts'
import { findAndModify, insert, remove, update } from './writes.ts'

/** Undefined: the connection is cut instead of a reply; never: no reply. */
export type Answer = Document | 'cut' | 'never'

interface Asked {
  readonly command: Document
  readonly name: string
  readonly database: string
  /** Namespace of the command's collection. */
  readonly namespace: string
  readonly view: View
}

type Run = (asked: Asked) => Document

const VERSION = '7.0.0'
const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify'])
const CHANGES: ReadonlySet<string> = new Set([...WRITES, 'create', 'createIndexes', 'drop', 'dropDatabase', 'commitTransaction'])
const OFTEN: ReadonlySet<string> = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'endSessions',
  'configureFailPoint',
  'standIn',
])

export function createCommands(store: Store, member: Member): (command: Document, isLegacy: boolean) => Answer {
  const sessions = createSessions(store)
  const cursors = createCursors()
  const schema = schemaCommands(store, cursors)
  const ok = (): Document => ({ ok: 1 })

  const runs: Readonly<Record<string, Run>> = {
    ping: ok,
    endSessions: ok,
    buildInfo: () => ({ version: VERSION, standIn: true, ok: 1 }),
    configureFailPoint: ({ command }) => (member.configure(command), { ok: 1 }),
    standIn: ({ command }) => steer(String(command['standIn'])),
    insert: ({ view, namespace, command }) => insert(view, namespace, command),
    update: ({ view, namespace, command }) => update(view, namespace, command),
    delete: ({ view, namespace, command }) => remove(view, namespace, command),
    findAndModify: ({ view, namespace, command }) => findAndModify(view, namespace, command),
    find: ({ view, namespace, command }) => cursors.first(namespace, find(view, namespace, command), batchOf(command['batchSize'])),
    aggregate: ({ view, namespace, command }) =>
      cursors.first(namespace, aggregate(view, namespace, command), batchOf((command['cursor'] as Document | undefined)?.['batchSize'])),
    count: ({ view, namespace, command }) => count(view, namespace, command),
    getMore: ({ command }) => cursors.more(command),
    killCursors: ({ command }) => cursors.kill(command),
    create: ({ namespace }) => schema.create(namespace),
    createIndexes: ({ namespace, command }) => schema.createIndexes(namespace, command),
    listIndexes: ({ namespace }) => schema.listIndexes(namespace),
    listCollections: ({ database, command }) => schema.listCollections(database, command),
    drop: ({ namespace }) => schema.drop(namespace),
    dropDatabase: ({ database }) => schema.dropDatabase(database),
    commitTransaction: ({ command }) => sessions.commit(command),
    abortTransaction: ({ command }) => sessions.abort(command),
  }

  function steer(what: string): Document {
    if (what === 'isolate') member.isolate()
    else if (what === 'rejoin') member.rejoin()
    else if (what === 'stepDown') member.stepDown()
    else throw failure('BadValue', `standIn: ${what}`)
    return { ok: 1 }
  }

  function carriedOut(name: string, command: Document): Document {
    const run = runs[name]
    if (!run) throw failure('CommandNotFound', `no such command: '${name}'`)
    const isRetryable = name === 'commitTransaction' || (command['txnNumber'] !== undefined && command['autocommit'] !== false)
    if (!OFTEN.has(name)) member.checkPrimary(isRetryable)
    const before = sessions.answered(command)
    if (before) return before
    const database = String(command['$db'] ?? 'admin')
    const isEnd = name === 'commitTransaction' || name === 'abortTransaction'
    const view = store.view(isEnd ? undefined : sessions.transactionOf(command))
    const namespace = `${database}.${String(name === 'getMore' ? command['collection'] : command[name])}`
    const answer = run({ command, name, database, namespace, view })
    if (WRITES.has(name)) sessions.remember(command, answer)
    return answer
  }

  /** Time is not simulated: a write without a majority gets its timeout error at once. */
  function confirmed(name: string, command: Document, answer: Document): Document {
    const writeConcern = command['writeConcern'] as Document | undefined
    if (member.isReached() || !CHANGES.has(name) || (writeConcern?.['w'] ?? 'majority') !== 'majority') return answer
    if (command['autocommit'] === false && name !== 'commitTransaction') return answer
    const { code, codeName, message } = failure('WriteConcernTimeout', 'waiting for replication timed out')
    return { ...answer, writeConcernError: { code, codeName, errmsg: message, errInfo: { wtimeout: true } } }
  }

  function answerTo(name: string, command: Document): Document {
    try {
      return confirmed(name, command, carriedOut(name, command))
    } catch (error) {
      if (!isFailure(error)) return { ok: 0, code: 1, codeName: 'InternalError', errmsg: String(error) }
      if (command['autocommit'] === false) sessions.abort(command)
      return replyOf(error)
    }
  }

  return (command, isLegacy) => {
    const [name = ''] = Object.keys(command)
    if (name === 'hello' || name.toLowerCase() === 'ismaster') return member.hello(name !== 'hello' || isLegacy)
    const point = member.failPointFor(name)
    if (!point) return { ...answerTo(name, command), operationTime: member.now() }
    if (point.steer) steer(point.steer)
    if (point.noAnswer) return 'never'
    const answer = point.afterCommand || point.writeConcernError ? answerTo(name, command) : undefined
    if (point.closeConnection) return 'cut'
    if (point.writeConcernError) return { ...answer, writeConcernError: point.writeConcernError }
    if (command['autocommit'] === false && name !== 'commitTransaction') sessions.abort(command)
    const errorLabels = point.errorLabels ?? (name === 'commitTransaction' ? [RETRYABLE] : [])
    return { ok: 0, code: point.errorCode, codeName: 'FailPoint', errmsg: 'Failing command via failpoint', errorLabels }
  }
}

const batchOf = (size: unknown): number | undefined => (size === undefined ? undefined : Number(size))
