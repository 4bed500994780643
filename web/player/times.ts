/** Positions as they are shown and as they are read out. */

const pad = (value: number): string => String(value).padStart(2, '0')

/** `42:10`, `1:58:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** The parts of a time that are not zero, for phrases. */
export interface TimeParts {
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

export function timeParts(seconds: number): TimeParts {
  const whole = Math.max(0, Math.floor(seconds))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60), seconds: whole % 60 }
}

export interface Stretch {
  readonly start: number
  readonly end: number
}

export const stretches = (ranges: Pick<TimeRanges, 'length' | 'start' | 'end'>): readonly Stretch[] =>
  Array.from({ length: ranges.length }, (_, index) => ({ start: ranges.start(index), end: ranges.end(index) }))

/** Seconds that can be played from the position without loading. */
export const bufferedAhead = (ranges: readonly Stretch[], position: number): number =>
  Math.max(0, ...ranges.filter(({ start, end }) => start <= position + 0.1 && position < end).map(({ end }) => end - position))

/** Index of the chapter at the position; -1 before the first. */
export function chapterAt(chapters: readonly { readonly start: number }[], position: number): number {
  let found = -1
  for (const [index, { start }] of chapters.entries()) if (start <= position + 0.01) found = index
  return found
}
