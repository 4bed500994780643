/**
 * Answers of the stream routes that are under way. Access is judged when a request comes; here it is looked at again for as long as
 * the answer takes, so that a film that is being downloaded, or a segment that is waited for, ends with the login, grant or session.
 */
import type { FastifyReply } from 'fastify'
import type { Clock } from '../ports/clock.ts'

export interface OpenAnswer {
  readonly reply: FastifyReply
  /** Whether its access still holds. */
  readonly holds: () => boolean
  /** What to answer where nothing has been sent yet. */
  readonly refusal: () => Promise<Error>
}

export interface OpenAnswers {
  /** Watches an answer until it is out. The signal aborts when the client goes, or with the refusal when access is lost. */
  watch(this: void, answer: OpenAnswer): AbortSignal
}

/** From the loss of access to the end of what is under way: contract, section 1, within a second also on other nodes. */
const LOOK_MS = 500

export function createOpenAnswers(clock: Clock): OpenAnswers {
  const open = new Map<OpenAnswer, AbortController>()
  let stopLooking: (() => void) | undefined

  function look(): void {
    if (open.size === 0) {
      stopLooking?.()
      stopLooking = undefined
    }
    for (const [answer, ends] of open) {
      if (answer.holds()) continue
      open.delete(answer)
      cut(answer, ends)
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
      open.set(answer, ends)
      stopLooking ??= clock.every(LOOK_MS, look)
      raw.once('close', () => {
        open.delete(answer)
        if (!raw.writableEnded) ends.abort()
      })
      return ends.signal
    },
  }
}

/**
 * What has begun cannot become a refusal any more: the broken connection tells that it is not whole. A reset, so that the megabytes
 * on their way in the kernel's buffers are dropped, too.
 */
function cut({ reply: { raw }, refusal }: OpenAnswer, ends: AbortController): void {
  if (raw.headersSent) raw.socket?.resetAndDestroy()
  else void refusal().then((error) => ends.abort(error))
}
