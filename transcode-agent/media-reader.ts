/**
 * Reads films for API nodes, which start no ffmpeg themselves. Reads have their own slots beside those of transcodes: one pool for reads
 * that a user waits for, and a lower-priority one for background work. Nodes and kinds of reads take turns.
 */
import { availableParallelism } from 'node:os'
import { isReadOrder, readRequestIn, readSubjects, type ReadReply, type ReadRequest } from '../src/app/media-reads/media-read-protocol.ts'
import { createFairSemaphore, type FairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import type { Bus, Message } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { ReadPriority } from '../src/ports/media-reads.ts'
import type { StartRead } from './media-read.ts'
import { isUnreachable, openInPlace, type OpenMedia, type OpenSource } from './open-media.ts'
import { createReadRecordSender, type ReadRecordSender } from './read-record-sender.ts'
import type { Report } from '../src/ports/report.ts'

export interface MediaReaderOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly start: StartRead
  /** Opens films; by default at their owner's paths. */
  readonly openSource?: OpenSource
  /** Concurrent reads that a user waits for; default: one a core, at least two. */
  readonly width?: number
  readonly onError: Report
}

export interface MediaReader {
  /** Takes no more reads, ends the running ones, and settles when nothing is left. */
  close(): Promise<void>
}

interface Pool {
  readonly slots: FairSemaphore
  readonly most: number
  taken: number
}

interface State extends MediaReaderOptions {
  readonly pools: Readonly<Record<'now' | 'idle', Pool>>
  readonly running: Map<string, { readonly stop: (reason: string) => void; readonly done: Promise<void> }>
  isLeaving: boolean
}

const IDLE_WIDTH = 2
/** Most reads queued for each pool. A queued read has its film open. */
const MOST_WAITING = 32
const LEAVING = 'The transcode agent is stopping'

export function createMediaReader(options: MediaReaderOptions): MediaReader {
  const { bus, width = Math.max(2, availableParallelism()) } = options
  const pools = { now: poolOf(width), idle: poolOf(IDLE_WIDTH) }
  const state: State = { ...options, pools, running: new Map(), isLeaving: false }
  const subscription = bus.respond(readSubjects.request, async ({ head }) => ({ head: { ...(await take(state, head)) } }))
  return {
    async close() {
      state.isLeaving = true
      subscription.close()
      const reads = [...state.running.values()]
      for (const { stop } of reads) stop(LEAVING)
      await Promise.all(reads.map(({ done }) => done))
    },
  }
}

const poolOf = (width: number): Pool => ({
  slots: createFairSemaphore({ width, waitingMax: MOST_WAITING }),
  most: width + MOST_WAITING,
  taken: 0,
})

const poolFor = ({ pools }: State, priority: ReadPriority): Pool => (priority === 'idle' ? pools.idle : pools.now)

async function take(state: State, head: Message['head']): Promise<ReadReply> {
  const request = readRequestIn(head)
  if (!request) return { type: 'refused', reason: 'the transcode agents do not know such a read: upgrade them' }
  const { running, openSource = openInPlace } = state
  // A duplicate delivery of the request.
  if (running.has(request.readId)) return { type: 'accepted' }
  const pool = poolFor(state, request.priority)
  if (state.isLeaving || pool.taken >= pool.most) return { type: 'busy' }
  pool.taken++
  const mediaFile = await openSource(request.source).catch(() => ({ unreachable: 'The film cannot be opened there' }))
  if (isUnreachable(mediaFile) || state.isLeaving) {
    pool.taken--
    return isUnreachable(mediaFile) ? { type: 'unreachable', reason: mediaFile.unreachable } : { type: 'busy' }
  }
  begin(state, request, mediaFile)
  return { type: 'accepted' }
}

function begin(state: State, request: ReadRequest, mediaFile: OpenMedia): void {
  const { bus, clock, running, onError } = state
  const { readId, priority } = request
  const pool = poolFor(state, priority)
  const abort = new AbortController()
  const sender = createReadRecordSender({ bus, clock, request, abort })
  const orders = bus.subscribe(readSubjects.order(readId), ({ head }) => {
    if (isReadOrder(head)) abort.abort(new Error('The node wants no more of this read'))
  })
  const done = pool
    .slots(`${request.node} ${request.read.type}`, () => run(state, { request, mediaFile, sender, signal: abort.signal }), abort.signal)
    .catch(async (cause: unknown) => {
      if (abort.signal.aborted) return
      // The queue gave its place to a requester with fewer reads.
      await sender.left('The transcode agent has no room')
      if (!(cause instanceof Error && cause.name === 'QueueFull')) onError(cause, 'warn')
    })
    .finally(() => {
      pool.taken--
      orders.close()
      sender.close()
      mediaFile.close()
      running.delete(readId)
    })
  const stop = (reason: string): void => void sender.left(reason).finally(() => abort.abort(new Error(reason)))
  running.set(readId, { stop, done })
}

interface Run {
  readonly request: ReadRequest
  readonly mediaFile: OpenMedia
  readonly sender: ReadRecordSender
  readonly signal: AbortSignal
}

/** @throws the signal's reason */
async function run({ clock, start }: State, { request, mediaFile, sender, signal }: Run): Promise<void> {
  const { read, priority, timeoutMs } = request
  const child = await start(read, mediaFile.input, priority).catch((cause: unknown) => String(cause))
  if (typeof child === 'string') return sender.end({ code: 1, signal: null, errors: child, firstErrors: child })
  const kill = (): void => child.kill()
  const disarm = clock.after(timeoutMs, kill)
  const ending = AbortSignal.any([signal, mediaFile.lost])
  ending.addEventListener('abort', kill, { once: true })
  if (ending.aborted) kill()
  sender.begun()
  try {
    for await (const bytes of child.output as AsyncIterable<Uint8Array>) await sender.piece(bytes)
  } catch {
    // The program was killed, which closed its output; the outcome is reported below.
    kill()
  } finally {
    disarm()
  }
  const { code, signal: killedBy, errors, firstErrors } = await child.exited
  ending.removeEventListener('abort', kill)
  signal.throwIfAborted()
  // A partial read is useless: another agent may be able to read all of it.
  if (mediaFile.lost.aborted) return sender.left(reasonOf(mediaFile.lost.reason))
  return sender.end({ code, signal: killedBy, errors, firstErrors })
}

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : 'The film cannot be fetched any further').slice(0, 500)
