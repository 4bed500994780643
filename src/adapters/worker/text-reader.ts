/** Texts read in a worker thread of its own, so that a large or hostile one holds no request up. Small ones in Unicode are read at once. */
import type { Worker } from 'node:worker_threads'
import { TimedOut } from '../../concurrency/timeout.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import { TextUnreadable, type TextJob, type TextReader, type TextReading } from '../../ports/text-reader.ts'
import { createWorkerThread } from '../shared/worker-thread.ts'

export interface TextReaderOptions {
  readonly clock: Clock
  /** For texts that are small. */
  readonly reading: TextReading
  readonly start: () => Worker
}

/**
 * Readers are linear: at this size they take a few milliseconds, less than it takes to start a thread. Most `.nfo` files and
 * minutes of subtitles inside films are smaller. Guessing the encoding of a subtitle takes up to 70 ms, so the thread does it.
 */
const AT_ONCE_BYTES = 16 * 1024
/** The largest subtitle that is read (10 MB) takes 2 to 4 s on a busy computer of two cores. */
const JOB_MS = 10_000
const WAITING_MAX = 16
const MESSAGES = {
  late: `A text took longer than ${JOB_MS / 1000} s to read`,
  ended: 'The thread that reads texts has ended',
  closed: 'Texts are not read any more: the server stops',
}

type Reply = { readonly value: never } | { readonly failure: string }

export function createWorkerTextReader({ clock, reading, start }: TextReaderOptions): TextReader {
  const thread = createWorkerThread<TextJob, Reply>({ clock, start, jobMs: JOB_MS, messages: MESSAGES })
  /** Viewers take turns with scans, and wait here: so a burst of theirs neither refuses a scan nor holds it up. */
  const viewers = createSemaphore(1, { waitingMax: WAITING_MAX })

  /** The kind of job decides what the thread answers. */
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
