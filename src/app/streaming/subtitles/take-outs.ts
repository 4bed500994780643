/**
 * Take-outs: text tracks read out of whole films because somebody watches them. One for each film, a few at once; it stops when the
 * last of those who wanted it has left.
 */
import type { FilmTexts, TextFilm } from '../../../ports/film-texts.ts'

export interface TakeOuts {
  /** As fast as can be; false when the film cannot be read to its end, or too many are being read. */
  hurry(film: TextFilm, viewer: string): Promise<boolean>
  /** Whether a film can be read in a hurry at the moment. */
  hasRoomFor(film: TextFilm): boolean
  /** When the machine has nothing else to do. */
  begin(film: TextFilm, viewer: string): void
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

export function createTakeOuts(texts: FilmTexts): TakeOuts {
  const flights = new Map<string, Flight>()
  /** Films that could not be read to the end; they are not tried again unasked. */
  const failed = new Set<string>()

  function fly(film: TextFilm, background: boolean, viewers: Iterable<string>): Flight {
    const stop = new AbortController()
    const result = texts
      .takeOut(film, { background, signal: stop.signal })
      .then((whole) => {
        if (!whole && failed.size < REMEMBERED) failed.add(film.fingerprint)
        return whole
      })
      .catch(() => false)
      .finally(() => {
        if (flights.get(film.fingerprint) === flight) flights.delete(film.fingerprint)
      })
    const flight: Flight = { background, viewers: new Set(viewers), stop, result }
    flights.set(film.fingerprint, flight)
    return flight
  }

  const count = (background: boolean): number => [...flights.values()].filter((flight) => flight.background === background).length

  const hasRoomFor = ({ fingerprint }: TextFilm): boolean => flights.get(fingerprint)?.background === false || count(false) < AT_ONCE

  return {
    hasRoomFor,
    async hurry(film, viewer) {
      const before = flights.get(film.fingerprint)
      if (before && !before.background) {
        before.viewers.add(viewer)
        return before.result
      }
      if (!hasRoomFor(film)) return false
      before?.stop.abort()
      return fly(film, false, [...(before?.viewers ?? []), viewer]).result
    },
    begin(film, viewer) {
      const before = flights.get(film.fingerprint)
      if (before) before.viewers.add(viewer)
      else if (count(true) === 0 && !failed.has(film.fingerprint)) fly(film, true, [viewer])
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
