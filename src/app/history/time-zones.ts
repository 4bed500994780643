/** Time zones of the IANA database as Node implements them: the offsets within a range of time. */
import type { Stretch } from '../../domain/history/calendar.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface TimeZones {
  /** Minutes since 1970. The stretches are contiguous and cover the range. Undefined if there is no zone of that name. */
  stretches(zone: string, fromMinute: number, toMinute: number): readonly Stretch[] | undefined
}

/** Cached years of zones. */
const YEARS_MAX = 2_000
const ZONES_MAX = 100
const MINUTE_MS = 60_000
/** Since 1970 no zone has changed its offset twice within two days. */
const STEP = 2 * 24 * 60
/** Names only: a bare offset has no rules for daylight saving time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/
const NAME_MAX = 60

type OffsetAt = (minute: number) => number

export function createTimeZones(): TimeZones {
  const years = createLruCache<readonly Stretch[]>(YEARS_MAX)
  const zones = createLruCache<OffsetAt>(ZONES_MAX)

  function offsetsOf(zone: string): OffsetAt | undefined {
    if (zone.length > NAME_MAX || !NAME.test(zone)) return undefined
    const known = zones.get(zone) ?? openZone(zone)
    if (known) zones.put(zone, known)
    return known
  }

  function ofYear(zone: string, offsetAt: OffsetAt, year: number): readonly Stretch[] {
    const key = `${zone} ${year}`
    const found = years.get(key) ?? changesIn(offsetAt, startOf(year), startOf(year + 1))
    years.put(key, found)
    return found
  }

  return {
    stretches(zone, fromMinute, toMinute) {
      const offsetAt = offsetsOf(zone)
      if (!offsetAt) return undefined
      const all: Stretch[] = []
      const lastYear = yearOf(toMinute - 1)
      for (let year = yearOf(fromMinute); year <= lastYear; year++) {
        for (const stretch of ofYear(zone, offsetAt, year)) {
          const part = { ...stretch, fromMinute: Math.max(stretch.fromMinute, fromMinute), toMinute: Math.min(stretch.toMinute, toMinute) }
          if (part.fromMinute < part.toMinute) join(all, part)
        }
      }
      return all
    },
  }
}

const yearOf = (minute: number): number => new Date(minute * MINUTE_MS).getUTCFullYear()
const startOf = (year: number): number => Date.UTC(year) / MINUTE_MS

function openZone(zone: string): OffsetAt | undefined {
  try {
    const part = 'numeric'
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: part,
      month: part,
      day: part,
      hour: part,
      minute: part,
    })
    return (minute) => {
      const values = Object.fromEntries(format.formatToParts(minute * MINUTE_MS).map(({ type, value }) => [type, Number(value)]))
      const { year = 0, month = 1, day = 1, hour = 0, minute: past = 0 } = values
      return Date.UTC(year, month - 1, day, hour, past) / MINUTE_MS - minute
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function changesIn(offsetAt: OffsetAt, fromMinute: number, toMinute: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let begins = fromMinute
  let offset = offsetAt(fromMinute)
  for (let step = fromMinute; step < toMinute; step += STEP) {
    const next = Math.min(step + STEP, toMinute)
    const then = offsetAt(next)
    if (then === offset) continue
    const changed = firstWithout(offsetAt, offset, step, next)
    stretches.push({ fromMinute: begins, toMinute: changed, offset })
    begins = changed
    offset = then
  }
  if (begins < toMinute) stretches.push({ fromMinute: begins, toMinute, offset })
  return stretches
}

/** The first minute with another offset, by binary search: the offset holds at `first` and not at `last`. */
function firstWithout(offsetAt: OffsetAt, offset: number, first: number, last: number): number {
  let [holds, ended] = [first, last]
  while (ended - holds > 1) {
    const middle = Math.floor((holds + ended) / 2)
    if (offsetAt(middle) === offset) holds = middle
    else ended = middle
  }
  return ended
}

/** Joins adjacent stretches of the same offset. */
function join(stretches: Stretch[], part: Stretch): void {
  const last = stretches.at(-1)
  if (last && last.offset === part.offset && last.toMinute === part.fromMinute)
    stretches[stretches.length - 1] = { ...last, toMinute: part.toMinute }
  else stretches.push(part)
}
