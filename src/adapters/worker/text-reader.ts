/** Parses texts in a separate worker thread, so that a large or hostile one blocks no request. Small ones in Unicode are parsed at once. */
import type { Worker } from 'node:worker_threads'
import { TimedOut } from '../../concurrency/timeout.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import { TextUnreadable, type TextJob, type TextReader, type TextReading } from '../../ports/text-reader.ts'
import { createWorkerThread } from '../shared/worker-thread.ts'

export interface TextReaderOptions {
  readonly clock: Clock
  /** For small texts. */
  readonly reading: TextReading
  readonly start: () => Worker
}

/**
 * Parsers are linear: at this size they take a few milliseconds, less than starting a thread. Most `.nfo` files and minutes of subtitles
 * inside films are smaller. Guessing the encoding of a subtitle takes up to 70 ms, so the thread does it.
 */
const AT_ONCE_BYTES = 16 * 1024
/** The largest accepted subtitle (10 MB) takes 2 to 4 s on a busy computer with two cores. */
const JOB_MS = 10_000
const WAITING_MAX = 16
const MESSAGES = {
  late: `A text took longer than ${JOB_MS / 1000} s to read`,
  ended: 'The thread that reads texts has ended',
  closed: 'The server is stopping: no more texts are read',
}

type Reply = { readonly value: never } | { readonly failure: string }

export function createWorkerTextReader({ clock, reading, start }: TextReaderOptions): TextReader {
  const thread = createWorkerThread<TextJob, Reply>({ clock, start, jobMs: JOB_MS, messages: MESSAGES })
  /** Viewers share the thread with scans, and queue here: so their bursts neither reject a scan nor delay it. */
  const viewers = createSemaphore(1, { waitingMax: WAITING_MAX })

  /** The kind of job determines the type of the reply. */
  async function ask(job: TextJob): Promise<never> {
    const reply = await thread.ask(job).catch((cause: unknown) => {
      throw isOfText(cause) ? new TextUnreadable('A text cannot be read within time and memory', { cause }) : cause
    })
    if ('failure' in reply) throw new TextUnreadable(`A text cannot be read: ${reply.failure}`)
    return reply.value
  }

  const isSmall = ({ byteLength }: Uint8Array): boolean => byteLength <= AT_ONCE_BYTES
  const isQuick = (bytes: Uint8Array): boolean => isSmall(bytes) && reading.isUnicode(bytes)
  return {
    cues: async (bytes, form) => (isQuick(bytes) ? reading.cues(bytes, form) : viewers(() => ask({ kind: 'cues', bytes, form }))),
    script: async (bytes, form) => (isQuick(bytes) ? reading.script(bytes, form) : viewers(() => ask({ kind: 'script', bytes, form }))),
    nfo: async (bytes) => (isSmall(bytes) ? reading.nfo(bytes) : ask({ kind: 'nfo', bytes })),
    close: () => thread.close(),
  }
}

const isOfText = (cause: unknown): boolean =>
  cause instanceof TimedOut || (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
