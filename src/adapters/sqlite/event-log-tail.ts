/**
 * Tail of the log: the events that were read last, in memory. Several follow the log, each at its own pace: what one has read the
 * others are given without reading it again, together with what has come since, so that who is busy still gets all of it at once.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'

/** Events that follow a position without a gap. */
export interface LogPage {
  readonly after: Position
  readonly events: readonly StoredEvent[]
  /** Characters of data and metadata. */
  readonly length: number
}

export interface TailBounds {
  /** Most events that are given at once. */
  readonly page: number
  /** Most events and characters that are kept. */
  readonly events: number
  readonly length: number
}

/** What `read` gives, kept: it reads a page after a position, with no event where there is none. */
export function createTail(read: (after: Position) => LogPage, bounds: TailBounds): (after: Position) => readonly StoredEvent[] {
  /** Each begins where the one before ends; none is empty. */
  let pages: readonly LogPage[] = []

  const isNext = (after: Position): boolean => after === endOf(pages)

  function keep(page: LogPage): void {
    if (page.events.length === 0) return
    pages = within([...(isNext(page.after) ? pages : []), page], bounds)
  }

  return (after) => {
    const [first] = pages
    const end = endOf(pages)
    if (!first || !end || after < first.after || after > end) {
      const page = read(after)
      if (!end || after > end) keep(page)
      return page.events
    }
    const kept = pages.flatMap(({ events }) => events).filter(({ position }) => position > after)
    if (kept.length >= bounds.page) return kept.slice(0, bounds.page)
    const fresh = kept.length === 0 ? read(end) : readIfReadable(read, end)
    keep(fresh)
    return kept.length === 0 ? fresh.events : [...kept, ...fresh.events].slice(0, bounds.page)
  }
}

const endOf = (pages: readonly LogPage[]): Position | undefined => pages.at(-1)?.events.at(-1)?.position

/** The newest pages within the bounds. */
function within(pages: readonly LogPage[], bounds: TailBounds): readonly LogPage[] {
  let [events, length] = [0, 0]
  let from = pages.length
  for (let n = pages.length - 1; n >= 0; n--) {
    events += pages[n]?.events.length ?? 0
    length += pages[n]?.length ?? 0
    if (events > bounds.events || length > bounds.length) break
    from = n
  }
  return pages.slice(from)
}

/** What is there already is given first; whoever asks after it is told that the next cannot be read. */
function readIfReadable(read: (after: Position) => LogPage, after: Position): LogPage {
  try {
    return read(after)
  } catch {
    return { after, events: [], length: 0 }
  }
}
