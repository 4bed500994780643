/**
 * Prefetches the media indexes of films that scans have found, a few at a time and only while no scan runs, so that the first session of a
 * film need not wait. A session that comes earlier makes its index itself. Indexes that a stop or a crash leaves unmade are requested again
 * by the next scan.
 */
import type { Media } from '../../ports/media.ts'

export interface IndexedFile {
  readonly path: string
  readonly fingerprint: string
}

export interface MediaIndexPrefetch {
  /** Queues the film's index, if it has none. */
  want(this: void, video: IndexedFile): void
  /** Starts nothing until the returned function is called: a scan needs the disk. */
  hold(this: void): () => void
  /** Stops; settles when nothing runs any more. */
  close(): Promise<void>
}

export interface MediaIndexPrefetchOptions {
  readonly media: Pick<Media, 'index' | 'hasIndex'>
  readonly width?: number
  readonly most?: number
}

/** Two: one reads tables while the other waits for the packets of a film without them. */
const WIDTH = 2
/** Most queued films, and most films known to be done. Further films wait for the next scan, or are checked again. */
const MOST = 100_000

export function createMediaIndexPrefetch({ media, width = WIDTH, most = MOST }: MediaIndexPrefetchOptions): MediaIndexPrefetch {
  const waiting = new Map<string, string>()
  const done = new Set<string>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let holds = 0

  async function make(fingerprint: string, path: string): Promise<void> {
    try {
      if (!(await media.hasIndex(fingerprint))) await media.index(path, fingerprint, stopping.signal)
    } catch {
      // A film without an index is transcoded; its problem is reported when it is played.
    }
    if (done.size < most) done.add(fingerprint)
  }

  function goOn(): void {
    for (const [fingerprint, path] of waiting) {
      if (holds > 0 || running.size >= width || stopping.signal.aborted) return
      waiting.delete(fingerprint)
      const work = make(fingerprint, path).finally(() => {
        running.delete(work)
        goOn()
      })
      running.add(work)
    }
  }

  return {
    want({ path, fingerprint }) {
      if (done.has(fingerprint) || (waiting.size >= most && !waiting.has(fingerprint))) return
      waiting.set(fingerprint, path)
      goOn()
    },
    hold() {
      const release = { done: false }
      holds++
      return () => {
        if (release.done) return
        release.done = true
        holds--
        goOn()
      }
    },
    async close() {
      stopping.abort(new Error('The server is stopping'))
      waiting.clear()
      await Promise.all(running)
    },
  }
}
