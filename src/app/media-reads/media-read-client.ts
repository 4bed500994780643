/**
 * Asks transcode agents to read films, for a node that runs no ffmpeg or ffprobe itself. While no agent accepts a read, the read waits and
 * reports why: that is not the film's fault.
 */
import type { JsonObject } from '../../events/envelope.ts'
import type { FileStamp } from '../../vocabulary/media-description.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { abortable, withTimeout } from '../../concurrency/timeout.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  MediaReadLost,
  type MediaReadEnd,
  type MediaReadOrder,
  type RunningMediaRead,
  type StartMediaRead,
} from '../../ports/media-reads.ts'
import type { Ids } from '../../ports/ids.ts'
import type { JobSource } from '../streaming/agents/agent-protocol.ts'
import { createPieces } from './record-assembly.ts'
import { isReadReply, READ_REPLY_MS, readSubjects, type ReadRequest } from './media-read-protocol.ts'
import { takeRecords, type Taken } from './record-receiver.ts'
import type { Report } from '../../ports/report.ts'

export interface MediaReadClientOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Pick<Ids, 'next'>
  readonly node: string
  /** Names a film by its path, and signs a token with which an agent without the file can fetch it. */
  readonly sign: (path: string, readId: string) => Pick<JobSource, 'fileId' | 'token'>
  /** Current stamp of the file; undefined if it cannot be read. */
  readonly stamp: (path: string) => Promise<FileStamp | undefined>
  /** Undefined if one clock runs through the film; default: always. */
  readonly parts?: (path: string) => Promise<readonly MediaPart[] | undefined>
  /** Called once when reads start to wait for agents. */
  readonly onError: Report<Error>
}

export interface MediaReadClient {
  readonly start: StartMediaRead
  /** Why reads wait for an agent at the moment; undefined if none waits. */
  waiting(this: void): string | undefined
}

/** The message of ffprobe. */
const NO_FILE: MediaReadEnd = { code: 1, signal: null, errors: 'No such file', firstErrors: 'No such file' }
const KILLED: MediaReadEnd = { code: null, signal: 'SIGKILL', errors: '', firstErrors: '' }
const NOBODY = 'no transcode agent answers'
const BUSY = 'all transcode agents are busy reading'
const STAMP_MS = 30_000
/** Pauses between requests for the same read. */
const RESTS_MS = [100, 250, 500, 1_000, 2_000] as const

interface State extends MediaReadClientOptions {
  /** The reason of each waiting read. */
  readonly waits: Map<symbol, string>
  isReported: boolean
}

export function createMediaReadClient(options: MediaReadClientOptions): MediaReadClient {
  const state: State = { ...options, waits: new Map(), isReported: false }
  return { start: (order) => start(state, order), waiting: () => [...state.waits.values()].at(-1) }
}

function start(state: State, order: MediaReadOrder): RunningMediaRead {
  const stopping = new AbortController()
  const begun = Promise.withResolvers<void>()
  const pieces = createPieces()
  const exited = run(state, { order, pieces, begin: begun.resolve, signal: stopping.signal })
  exited.then(pieces.end, pieces.fail)
  return {
    begun: begun.promise,
    output: pieces.output,
    exited,
    kill: () => stopping.abort(new Error('The read was stopped')),
  }
}

interface Run extends Pick<Taken, 'pieces' | 'begin'> {
  readonly order: MediaReadOrder
  readonly signal: AbortSignal
}

async function run(state: State, { order, signal, ...taken }: Run): Promise<MediaReadEnd> {
  const { clock } = state
  const key = Symbol('read')
  const late = new AbortController()
  const disarm = order.patienceMs === undefined ? () => undefined : clock.after(order.patienceMs, () => late.abort())
  const begin = (): void => {
    disarm()
    settled(state, key)
    taken.begin()
  }
  const bounded = AbortSignal.any([signal, late.signal])
  try {
    for (let tries = 0; ; tries++) {
      const end = await once(state, { ...taken, order, begin, signal: bounded })
      if (typeof end !== 'string') return end
      wait(state, key, end)
      await clock.sleep(RESTS_MS[Math.min(tries, RESTS_MS.length - 1)] ?? 0, bounded)
    }
  } catch (cause) {
    if (signal.aborted) return KILLED
    if (late.signal.aborted) throw new MediaReadLost('No transcode agent began to read the film in time', 'patience', { cause })
    throw cause
  } finally {
    disarm()
    settled(state, key)
  }
}

function wait(state: State, key: symbol, why: string): void {
  state.waits.set(key, why)
  if (state.isReported || why === BUSY) return
  state.isReported = true
  state.onError(
    new Error(`Films wait to be read: ${why}. Start a transcode agent (MARQUEE_ROLES=agent), or look at the log of those there are.`),
    'warn',
  )
}

function settled({ waits, ...state }: State, key: symbol): void {
  waits.delete(key)
  if (waits.size === 0) state.isReported = false
}

type Once = Run & Pick<Taken, 'begin'>

/** The end, or why no agent has accepted the read. @throws the signal's reason; MediaReadLost */
async function once(state: State, { order, signal, pieces, begin }: Once): Promise<MediaReadEnd | string> {
  const { bus, clock, ids, node } = state
  const stamp = await withTimeout(state.stamp(order.path), { clock, ms: STAMP_MS, message: 'The disk does not answer' }).catch(
    () => undefined,
  )
  if (!stamp) return NO_FILE
  const readId: string = ids.next()
  const inbox = readSubjects.inbox(node, readId)
  const taking = takeRecords({ bus, clock, readId, inbox, pieces, begin })
  try {
    await abortable(Promise.all(taking.subscriptions.map((one) => one.ready)), signal)
    const { path, read, priority, timeoutMs } = order
    const { sizeBytes, modifiedAtMs } = stamp
    const parts = await state.parts?.(path)
    const source = { ...state.sign(path, readId), path, sizeBytes, modifiedAtMs, ...omitUndefined({ parts }) }
    const why = await offer(state, { type: 'read', readId, node, inbox, source, read, priority, timeoutMs }, signal)
    return why ?? (await abortable(taking.end(), signal))
  } finally {
    taking.close()
  }
}

/** Undefined if an agent has accepted it. */
async function offer({ bus }: State, request: ReadRequest, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { head } = await bus.request(readSubjects.request, { head: plain(request) }, { timeoutMs: READ_REPLY_MS, signal })
    if (!isReadReply(head)) return 'the transcode agents are of another version'
    if (head.type === 'accepted') return undefined
    return head.type === 'busy' ? BUSY : head.reason
  } catch {
    signal.throwIfAborted()
    return NOBODY
  }
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
