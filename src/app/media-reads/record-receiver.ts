/** Receives the messages of one read from an agent, until the read ends or the agent is lost. */
import type { JsonObject } from '../../events/envelope.ts'
import type { Bus, Message, Subscription } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, type MediaReadEnd } from '../../ports/media-reads.ts'
import type { Pieces } from './record-assembly.ts'
import { isReadRecord, READ_SILENT_MS, readSubjects, type ReadRecord, type RecordAnswer } from './media-read-protocol.ts'

export interface Taken {
  readonly bus: Bus
  readonly clock: Clock
  readonly readId: string
  readonly inbox: string
  readonly pieces: Pieces
  /** Called when the program has started. */
  readonly begin: () => void
}

export interface Taking {
  readonly subscriptions: readonly Subscription[]
  /** Call it once an agent has accepted: the agent counts as lost after a silence. @throws MediaReadLost */
  end(): Promise<MediaReadEnd>
  /** Orders the agent to stop, unless it has ended by itself. */
  close(): void
}

const LOOK_MS = 1_000
const reply = (answer: RecordAnswer): Message => ({ head: { ...answer } })

export function takeRecords({ bus, clock, readId, inbox, pieces, begin }: Taken): Taking {
  const ended = Promise.withResolvers<MediaReadEnd>()
  ended.promise.catch(() => undefined)
  let heardAt = clock.monotonic()
  let taken = 0
  let isEnded = false
  let stopLooking = (): void => undefined

  /** Pieces arrive in order: one before the expected one is a duplicate. */
  function takePiece(at: number, body: Uint8Array | undefined): RecordAnswer {
    if (pieces.isLeft()) return { type: 'stop' }
    if (at < taken) return { type: 'go' }
    if (at > taken || !body) return lose('A transcode agent sent an invalid message')
    if (!pieces.push(body)) return { type: 'wait' }
    taken++
    return { type: 'go' }
  }

  function lose(reason: string): RecordAnswer {
    isEnded = true
    ended.reject(new MediaReadLost(reason, 'agent'))
    return { type: 'stop' }
  }

  function take(record: ReadRecord, body: Uint8Array | undefined): RecordAnswer {
    heardAt = clock.monotonic()
    if (isEnded) return { type: 'stop' }
    if (record.type === 'beat') {
      if (record.isRunning) begin()
      return { type: 'go' }
    }
    if (record.type === 'left') {
      isEnded = true
      ended.reject(new MediaReadLost(record.reason, 'source'))
      return { type: 'stop' }
    }
    begin()
    if (record.type === 'piece') return takePiece(record.at, body)
    isEnded = true
    const { code, signal, errors, firstErrors } = record
    ended.resolve({ code, signal, errors, firstErrors })
    return { type: 'go' }
  }

  const hear = async ({ head, body }: { readonly head: JsonObject; readonly body?: Uint8Array }): Promise<Message> =>
    reply(isReadRecord(head) ? take(head, body) : lose('A transcode agent sent an invalid message'))
  const subscriptions = [bus.respond(inbox, hear), bus.respond(readSubjects.beat(readId), hear)]

  return {
    subscriptions,
    end() {
      heardAt = clock.monotonic()
      stopLooking = clock.every(LOOK_MS, () => {
        if (clock.monotonic() - heardAt > READ_SILENT_MS) lose('The transcode agent that read the film is gone')
      })
      return ended.promise
    },
    close() {
      stopLooking()
      for (const subscription of subscriptions) subscription.close()
      if (!isEnded) bus.publish(readSubjects.order(readId), { head: { type: 'stop' } })
      isEnded = true
    },
  }
}
