/**
 * Sends the output of one read to the node that requested it: pieces in sequence, with heartbeats in parallel. If the node is silent for
 * too long or cancels, the read ends.
 */
import { omitUndefined } from '../src/vocabulary/omit-undefined.ts'
import {
  isRecordAnswer,
  READ_BEAT_MS,
  READ_SILENT_MS,
  readSubjects,
  type ReadRecord,
  type ReadRequest,
} from '../src/app/media-reads/media-read-protocol.ts'
import { MAX_BODY_BYTES, type Bus } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { MediaReadEnd } from '../src/ports/media-reads.ts'

export interface ReadRecordSender {
  /** The program is running. */
  begun(): void
  /** Settles when the node has received it. @throws the reason of the read's end */
  piece(bytes: Uint8Array): Promise<void>
  /** Settles when the node has confirmed it or is given up on. */
  end(end: MediaReadEnd): Promise<void>
  left(reason: string): Promise<void>
  close(): void
}

interface ReadOutboxOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly request: Pick<ReadRequest, 'readId' | 'inbox'>
  /** Ends the read. */
  readonly abort: AbortController
}

const AGAIN_MS = 250
const ANSWER_MS = 5_000
const LEFT_MS = 1_500

export function createReadRecordSender({ bus, clock, request: { readId, inbox }, abort }: ReadOutboxOptions): ReadRecordSender {
  const { signal } = abort
  let heardAt = clock.monotonic()
  let isRunning = false
  let isBeating = false
  let at = 0

  function giveUpIfSilent(): void {
    if (clock.monotonic() - heardAt > READ_SILENT_MS) abort.abort(new Error('The node is silent'))
  }

  async function ask(subject: string, record: ReadRecord, { body, timeoutMs = ANSWER_MS }: { body?: Uint8Array; timeoutMs?: number } = {}) {
    const message = { head: { ...record }, ...omitUndefined({ body }) }
    const { head } = await bus.request(subject, message, { timeoutMs, signal })
    heardAt = clock.monotonic()
    const type = isRecordAnswer(head) ? head.type : 'stop'
    if (type === 'stop' && record.type !== 'end') abort.abort(new Error('The node wants no more of this read'))
    return type
  }

  /** Retries until the node accepts the record. @throws the reason of the read's end */
  async function deliver(record: ReadRecord, body?: Uint8Array): Promise<void> {
    for (;;) {
      const answer = await ask(inbox, record, body ? { body } : {}).catch(() => undefined)
      signal.throwIfAborted()
      if (answer === 'go' || answer === 'stop') return
      giveUpIfSilent()
      await clock.sleep(AGAIN_MS, signal)
    }
  }

  async function beat(): Promise<void> {
    giveUpIfSilent()
    if (isBeating || signal.aborted) return
    isBeating = true
    await ask(readSubjects.beat(readId), { type: 'beat', isRunning }, { timeoutMs: READ_BEAT_MS }).catch(() => undefined)
    isBeating = false
  }

  const stopBeats = clock.every(READ_BEAT_MS, () => void beat())
  return {
    begun() {
      isRunning = true
      void beat()
    },
    async piece(bytes) {
      for (let from = 0; from < bytes.byteLength; from += MAX_BODY_BYTES) {
        await deliver({ type: 'piece', at }, bytes.subarray(from, from + MAX_BODY_BYTES))
        at++
      }
    },
    end: (end) => deliver({ type: 'end', ...end }).catch(() => undefined),
    left: (reason) => ask(readSubjects.beat(readId), { type: 'left', reason }, { timeoutMs: LEFT_MS }).then(ignore, ignore),
    close: stopBeats,
  }
}

const ignore = (): void => undefined
