/**
 * Answers of the stream routes that are under way. Access is judged when a request comes; here it is looked at again for as long as
 * the answer takes, so that a film that is being downloaded, or a segment that is waited for, ends with the login, grant or session.
 */
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import { tooMany } from '../server/errors.ts'

export interface OpenResponse {
  readonly reply: FastifyReply
  /** Whether its access still holds. */
  readonly holds: () => boolean
  /** What to answer where nothing has been sent yet. */
  readonly refusal: () => Promise<Error>
  /** Whose it is, by kind: each kind has a limit of its own. */
  readonly owners?: Readonly<Record<string, string>>
}

export interface OpenResponsesOptions {
  readonly clock: Clock
  /** Most open answers of one owner, by kind of owner. */
  readonly limits?: Readonly<Record<string, number>>
  /** How long a client may take nothing of what is ready for it; default: for ever. */
  readonly stallMs?: number
}

interface Watched {
  readonly answer: OpenResponse
  readonly ends: AbortController
  /** How far the connection had come when it was last seen to take something, and when that was. */
  progress: string
  sinceMs: number
}

export interface OpenResponses {
  /**
   * Watches an answer until it is out. The signal aborts when the client goes, or with the refusal when access is lost.
   * @throws HttpError 429 when an owner has too many open already
   */
  watch(this: void, answer: OpenResponse): AbortSignal
}

/** From the loss of access to the end of responses under way: within a second, also on other nodes. */
const LOOK_MS = 500
const RETRY_SECONDS = 5

export function createOpenResponses({ clock, limits = {}, stallMs = Infinity }: OpenResponsesOptions): OpenResponses {
  const open = new Set<Watched>()
  const counts = new Map<string, number>()
  let stopLooking: (() => void) | undefined

  function look(): void {
    if (open.size === 0) {
      stopLooking?.()
      stopLooking = undefined
    }
    for (const watched of open) {
      if (watched.answer.holds() && !isStalled(watched)) continue
      open.delete(watched)
      cut(watched)
    }
  }

  /** Whether bytes have been ready for too long, and the client's connection took none. */
  function isStalled(watched: Watched): boolean {
    const { socket } = watched.answer.reply.raw
    const progress = socket ? progressOf(socket) : ''
    if (!socket || socket.writableLength === 0 || progress !== watched.progress) {
      watched.progress = progress
      watched.sinceMs = clock.monotonic()
    }
    return clock.monotonic() - watched.sinceMs >= stallMs
  }

  function count(owners: readonly string[], change: 1 | -1): void {
    for (const owner of owners) {
      const now = (counts.get(owner) ?? 0) + change
      if (now > 0) counts.set(owner, now)
      else counts.delete(owner)
    }
  }

  function refuseMore(owners: Readonly<Record<string, string>>): void {
    for (const [kind, name] of Object.entries(owners)) {
      const limit = limits[kind] ?? Infinity
      if ((counts.get(`${kind} ${name}`) ?? 0) >= limit) throw tooMany(`A ${kind} may have ${limit} open answers`, RETRY_SECONDS)
    }
  }

  return {
    watch(answer) {
      const { raw } = answer.reply
      const ends = new AbortController()
      if (raw.closed) {
        ends.abort()
        return ends.signal
      }
      const { owners = {} } = answer
      refuseMore(owners)
      const keys = Object.entries(owners).map(([kind, name]) => `${kind} ${name}`)
      const watched: Watched = { answer, ends, progress: '', sinceMs: clock.monotonic() }
      count(keys, 1)
      open.add(watched)
      stopLooking ??= clock.every(LOOK_MS, look)
      raw.once('close', () => {
        count(keys, -1)
        open.delete(watched)
        if (!raw.writableEnded) ends.abort()
      })
      return ends.signal
    },
  }
}

/**
 * Changes whenever the kernel takes bytes. A large answer is one write, of which only the handle tells how much is left: Node's own
 * socket time-outs look there, too.
 */
function progressOf(socket: Socket): string {
  const left: unknown = Reflect.get(Object(Reflect.get(socket, '_handle')), 'writeQueueSize')
  return [socket.bytesWritten, socket.writableLength, left].join(' ')
}

/**
 * What has begun cannot become a refusal any more: the broken connection tells that it is not whole. A reset, so that the megabytes
 * on their way in the kernel's buffers are dropped, too.
 */
function cut({ answer, ends }: Watched): void {
  const { raw } = answer.reply
  if (raw.headersSent) raw.socket?.resetAndDestroy()
  else void answer.refusal().then((error) => ends.abort(error))
}
