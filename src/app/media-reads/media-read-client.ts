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
  /** Called once when reads have waited for agents for some seconds. */
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
const RESTS_MS = [50, 100, 100, 250, 500, 1_000, 2_000] as const
/** Fewer refusals are no reason for a line in the log: another agent takes the read soon. */
const REPORTED_TRIES = RESTS_MS.length
/** Longer than an agent waits for a server before it gives a film up. */
const LOSS_MS = 60_000

interface State extends MediaReadClientOptions {
  /** The reason of each waiting read; by its path for a film that agents repeatedly could not read to its end. */
  readonly waits: Map<symbol | string, string>
  /** Paths of films that an agent lately could not read to their end, with a function that stops the expiry. */
  readonly losses: Map<string, () => void>
  isReported: boolean
}

export function createMediaReadClient(options: MediaReadClientOptions): MediaReadClient {
  const state: State = { ...options, waits: new Map(), losses: new Map(), isReported: false }
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
      if (typeof end !== 'string') {
        forgetLoss(state, order.path)
        return end
      }
      wait(state, key, { why: end, tries })
      await clock.sleep(RESTS_MS[Math.min(tries, RESTS_MS.length - 1)] ?? 0, bounded)
    }
  } catch (cause) {
    if (signal.aborted) return KILLED
    if (cause instanceof MediaReadLost && cause.of === 'source') noteLoss(state, order.path, cause.message)
    if (late.signal.aborted) throw new MediaReadLost('No transcode agent began to read the film in time', 'patience', { cause })
    throw cause
  } finally {
    disarm()
    settled(state, key)
  }
}

/** The caller reads it again. One loss is no reason to report: agents stop for an upgrade, too. */
function noteLoss(state: State, path: string, why: string): void {
  const { clock, losses } = state
  const stopExpiry = losses.get(path)
  stopExpiry?.()
  if (stopExpiry) wait(state, path, { why, tries: REPORTED_TRIES })
  losses.set(
    path,
    clock.after(LOSS_MS, () => forgetLoss(state, path)),
  )
}

function forgetLoss(state: State, path: string): void {
  state.losses.get(path)?.()
  state.losses.delete(path)
  settled(state, path)
}

function wait(state: State, key: symbol | string, { why, tries }: { readonly why: string; readonly tries: number }): void {
  state.waits.set(key, why)
  if (state.isReported || why === BUSY || tries < REPORTED_TRIES) return
  state.isReported = true
  state.onError(
    new Error(`Films wait to be read: ${why}. Start a transcode agent (MARQUEE_ROLES=agent), or look at the log of those there are.`),
    'warn',
  )
}

function settled(state: State, key: symbol | string): void {
  state.waits.delete(key)
  if (state.waits.size === 0) state.isReported = false
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
