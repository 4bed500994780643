/**
 * Marks of this tab that are on their way. Events report each write in turn: if the person undoes a mark at once, the event of the mark
 * comes after the undoing is shown. So events of a movie are held back while this tab writes to it and a moment longer, and what they
 * say together is shown then: the last word is the server's.
 */
import type { Marks } from './patches.ts'

/** An event comes at most this long after the answer to its write. */
const EVENT_MS = 1000

export interface OwnMarksOptions {
  readonly after: (ms: number, run: () => void) => void
  readonly show: (movieId: string, marks: Marks) => void
}

export interface OwnMarks {
  /** Waits for the write. */
  write<T>(movieId: string, send: () => Promise<T>): Promise<T>
  /** Whether the marks of an event are held back. */
  holds(movieId: string, marks: Marks): boolean
}

interface Writing {
  writes: number
  held: Marks | undefined
}

export function createOwnMarks({ after, show }: OwnMarksOptions): OwnMarks {
  const writing = new Map<string, Writing>()

  function end(movieId: string, of: Writing): void {
    of.writes -= 1
    if (of.writes > 0) return
    writing.delete(movieId)
    if (of.held) show(movieId, of.held)
  }

  return {
    async write(movieId, send) {
      const of = writing.get(movieId) ?? { writes: 0, held: undefined }
      writing.set(movieId, of)
      of.writes += 1
      try {
        return await send()
      } finally {
        after(EVENT_MS, () => end(movieId, of))
      }
    },
    holds(movieId, marks) {
      const of = writing.get(movieId)
      if (of) of.held = { ...of.held, ...marks }
      return of !== undefined
    },
  }
}
