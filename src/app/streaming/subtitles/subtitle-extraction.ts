/**
 * Extracts text tracks from media files that are being watched. There is one extraction per file, and a few at a time. It stops when the
 * last viewer who needs it has left.
 */
import type { TextTracks, TextMediaFile } from '../../../ports/text-tracks.ts'

export interface SubtitleExtraction {
  /** Extracts as fast as possible; false if the film cannot be read to its end, or too many are being read. */
  prioritise(mediaFile: TextMediaFile, viewer: string): Promise<boolean>
  /** Whether a fast extraction can start at the moment. */
  hasRoomFor(mediaFile: TextMediaFile): boolean
  /** Extracts with low priority. */
  begin(mediaFile: TextMediaFile, viewer: string): void
  leave(viewer: string): void
  close(): Promise<void>
}

interface Flight {
  readonly background: boolean
  readonly viewers: Set<string>
  readonly stop: AbortController
  readonly result: Promise<boolean>
}

const AT_ONCE = 2
const REMEMBERED = 1000

export function createSubtitleExtraction(texts: TextTracks): SubtitleExtraction {
  const flights = new Map<string, Flight>()
  /** Films that could not be read to the end; not retried automatically. */
  const failed = new Set<string>()

  function fly(mediaFile: TextMediaFile, background: boolean, viewers: Iterable<string>): Flight {
    const stop = new AbortController()
    const result = texts
      .takeOut(mediaFile, { background, signal: stop.signal })
      .then((whole) => {
        if (!whole && failed.size < REMEMBERED) failed.add(mediaFile.fingerprint)
        return whole
      })
      .catch(() => false)
      .finally(() => {
        if (flights.get(mediaFile.fingerprint) === flight) flights.delete(mediaFile.fingerprint)
      })
    const flight: Flight = { background, viewers: new Set(viewers), stop, result }
    flights.set(mediaFile.fingerprint, flight)
    return flight
  }

  const count = (background: boolean): number => [...flights.values()].filter((flight) => flight.background === background).length

  const hasRoomFor = ({ fingerprint }: TextMediaFile): boolean => flights.get(fingerprint)?.background === false || count(false) < AT_ONCE

  return {
    hasRoomFor,
    async prioritise(mediaFile, viewer) {
      const before = flights.get(mediaFile.fingerprint)
      if (before && !before.background) {
        before.viewers.add(viewer)
        return before.result
      }
      if (!hasRoomFor(mediaFile)) return false
      before?.stop.abort()
      return fly(mediaFile, false, [...(before?.viewers ?? []), viewer]).result
    },
    begin(mediaFile, viewer) {
      const before = flights.get(mediaFile.fingerprint)
      if (before) before.viewers.add(viewer)
      else if (count(true) === 0 && !failed.has(mediaFile.fingerprint)) fly(mediaFile, true, [viewer])
    },
    leave(viewer) {
      for (const { viewers, stop } of flights.values()) {
        if (viewers.delete(viewer) && viewers.size === 0) stop.abort()
      }
    },
    async close() {
      const running = [...flights.values()]
      for (const { stop } of running) stop.abort()
      await Promise.all(running.map(({ result }) => result))
    },
  }
}
