/**
 * Caches the tail of the log in memory. Several followers read the log, each at its own pace: events that one has read are given to the
 * others without another read, together with newer ones. A slow follower therefore still gets everything at once. Events that this process
 * has stored are never read at all: while every append is known here, so is the end of the log.
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
  /** Most events returned at once. */
  readonly page: number
  /** Most events and characters that are kept. */
  readonly events: number
  readonly length: number
}

export interface Tail {
  /** The events after a position, as many as fit into a page; none at the end of the log. */
  after(this: void, position: Position): readonly StoredEvent[]
  /** The page has just been stored, and nothing is after it. */
  stored(this: void, page: LogPage): void
  /** Events may have been stored that nobody has named here. */
  unsure(this: void): void
}

/** A caching version of `read`, which reads a page after a position, and returns an empty one at the end. */
export function createTail(read: (after: Position) => LogPage, bounds: TailBounds): Tail {
  /** Oldest first. Each begins at the end of the previous one; none is empty. */
  const pages: LogPage[] = []
  let [events, length] = [0, 0]
  let endOfLog: Position | undefined

  function add(page: LogPage): void {
    pages.push(page)
    events += page.events.length
    length += page.length
  }

  function dropFirst(): void {
    const first = pages.shift()
    events -= first?.events.length ?? 0
    length -= first?.length ?? 0
  }

  function keep(page: LogPage): void {
    if (page.events.length === 0) return
    if (page.after !== endOf(pages)) while (pages.length > 0) dropFirst()
    add(page)
    while (events > bounds.events || length > bounds.length) dropFirst()
  }

  function pageAfter(position: Position): readonly StoredEvent[] {
    if (endOfLog !== undefined && position >= endOfLog) return []
    const [first] = pages
    const end = endOf(pages)
    if (!first || !end || position < first.after || position > end) {
      const page = read(position)
      if (!end || position > end) keep(page)
      return page.events
    }
    const kept = eventsAfter(pages, position)
    if (kept.length >= bounds.page) return kept.slice(0, bounds.page)
    if (end === endOfLog) return kept
    const fresh = kept.length === 0 ? read(end) : readIfReadable(read, end)
    keep(fresh)
    return kept.length === 0 ? fresh.events : [...kept, ...fresh.events].slice(0, bounds.page)
  }

  return {
    after: pageAfter,
    stored(page) {
      keep(page)
      endOfLog = page.events.at(-1)?.position
    },
    unsure: () => void (endOfLog = undefined),
  }
}

const endOf = (pages: readonly LogPage[]): Position | undefined => pages.at(-1)?.events.at(-1)?.position

/** From the end: followers ask for the newest events, and there may be a page for each event. */
function eventsAfter(pages: readonly LogPage[], after: Position): readonly StoredEvent[] {
  const inside = pages.findLastIndex((page) => page.after < after)
  const rest = pages.slice(inside + 1).flatMap(({ events }) => events)
  return [...(pages[inside]?.events.filter(({ position }) => position > after) ?? []), ...rest]
}

/** Returns the available events first; the next call then reports the unreadable one. */
function readIfReadable(read: (after: Position) => LogPage, after: Position): LogPage {
  try {
    return read(after)
  } catch {
    return { after, events: [], length: 0 }
  }
}
