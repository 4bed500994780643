/**
 * Tracks the open responses of the stream routes. Access is checked when a request arrives, and here again for the whole duration of the
 * response. So a download, or a wait for a segment, ends with the login, grant or session.
 */
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import { tooMany } from '../server/errors.ts'

export interface OpenResponse {
  readonly reply: FastifyReply
  /** Whether access is still granted. */
  readonly holds: () => boolean
  /** The error if nothing has been sent yet. */
  readonly refusal: () => Promise<Error>
  /** Its owners by kind: each kind has a limit. */
  readonly owners?: Readonly<Record<string, string>>
}

export interface OpenResponsesOptions {
  readonly clock: Clock
  /** Aborts when the server closes: responses of which nothing has been sent get its reason. */
  readonly closing: AbortSignal
  /** Most open responses of one owner, by kind of owner. */
  readonly limits?: Readonly<Record<string, number>>
  /** How long a client may read nothing although data is ready; default: unlimited. */
  readonly stallMs?: number
}

interface Watched {
  readonly answer: OpenResponse
  readonly ends: AbortController
  /** Progress of the connection at its last change, and the time of that change. */
  progress: string
  sinceMs: number
}

export interface OpenResponses {
  /**
   * Tracks a response until it is complete. The signal aborts if the client disconnects, or with the refusal if access is lost or the server
   * closes. @throws HttpError 429 if an owner has too many open responses
   */
  watch(this: void, answer: OpenResponse): AbortSignal
}

/** Poll interval: open responses must end within a second of the loss of access, also on other nodes. */
const LOOK_MS = 500
const RETRY_SECONDS = 5

interface State extends OpenResponsesOptions {
  readonly limits: Readonly<Record<string, number>>
  readonly stallMs: number
  readonly open: Set<Watched>
  readonly counts: Map<string, number>
  stopLooking: (() => void) | undefined
}

export function createOpenResponses(options: OpenResponsesOptions): OpenResponses {
  const { limits = {}, stallMs = Infinity } = options
  const state: State = { ...options, limits, stallMs, open: new Set(), counts: new Map(), stopLooking: undefined }
  options.closing.addEventListener('abort', () => endWaits(state), { once: true })

  return {
    watch: (answer) => watch(state, answer),
  }
}

function look(state: State): void {
  const { open } = state
  if (open.size === 0) {
    state.stopLooking?.()
    state.stopLooking = undefined
  }
  for (const watched of open) {
    if (watched.answer.holds() && !isStalled(state, watched)) continue
    open.delete(watched)
    cut(watched)
  }
}

/** Whether data has been ready for too long without the client's connection accepting any. */
function isStalled({ clock, stallMs }: State, watched: Watched): boolean {
  const { socket } = watched.answer.reply.raw
  const progress = socket ? progressOf(socket) : ''
  if (!socket || socket.writableLength === 0 || progress !== watched.progress) {
    watched.progress = progress
    watched.sinceMs = clock.monotonic()
  }
  return clock.monotonic() - watched.sinceMs >= stallMs
}

function count({ counts }: State, owners: readonly string[], change: 1 | -1): void {
  for (const owner of owners) {
    const now = (counts.get(owner) ?? 0) + change
    if (now > 0) counts.set(owner, now)
    else counts.delete(owner)
  }
}

function refuseMore({ limits, counts }: State, owners: Readonly<Record<string, string>>): void {
  for (const [kind, name] of Object.entries(owners)) {
    const limit = limits[kind] ?? Infinity
    if ((counts.get(`${kind} ${name}`) ?? 0) >= limit) throw tooMany(`A ${kind} may have ${limit} open answers`, RETRY_SECONDS)
  }
}

function endWaits({ open, closing }: State): void {
  for (const { answer, ends } of open) if (!answer.reply.raw.headersSent) ends.abort(closing.reason)
}

function watch(state: State, answer: OpenResponse): AbortSignal {
  const { clock, closing, open } = state
  const { raw } = answer.reply
  const ends = new AbortController()
  if (closing.aborted) ends.abort(closing.reason)
  if (raw.closed) ends.abort()
  if (ends.signal.aborted) return ends.signal
  const { owners = {} } = answer
  refuseMore(state, owners)
  const keys = Object.entries(owners).map(([kind, name]) => `${kind} ${name}`)
  const watched: Watched = { answer, ends, progress: '', sinceMs: clock.monotonic() }
  count(state, keys, 1)
  open.add(watched)
  state.stopLooking ??= clock.every(LOOK_MS, () => look(state))
  raw.once('close', () => {
    count(state, keys, -1)
    open.delete(watched)
    if (!raw.writableEnded) ends.abort()
  })
  return ends.signal
}

/**
 * Changes whenever the kernel accepts bytes. A large response is one write, whose remaining bytes only the handle knows: Node's own socket
 * timeouts use it too.
 */
function progressOf(socket: Socket): string {
  const left: unknown = Reflect.get(Object(Reflect.get(socket, '_handle')), 'writeQueueSize')
  return [socket.bytesWritten, socket.writableLength, left].join(' ')
}

/**
 * A started response can no longer become an error: the broken connection shows that it is incomplete. A reset also drops the megabytes in
 * the kernel's buffers.
 */
function cut({ answer, ends }: Watched): void {
  const { raw } = answer.reply
  if (raw.headersSent) raw.socket?.resetAndDestroy()
  else void answer.refusal().then((error) => ends.abort(error))
}
