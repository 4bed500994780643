/**
 * What one viewing looked like: which stretches of the film were played, where it paused, and where it jumped. Made from its timeline, or
 * roughly from its entry in the history. Pure.
 */
import type { HistoryEntry } from '../data/history-query.ts'
import type { TimelineStep } from '../data/past-queries.ts'

export interface Played {
  /** Positions in the film, in seconds. */
  readonly from: number
  readonly to: number
  readonly since: string
  readonly at: string
}

export interface Pause {
  readonly position: number
  readonly since: string
  readonly seconds: number
}

export interface Jump {
  readonly from: number
  readonly to: number
  readonly at: string
}

export interface Strip {
  readonly played: readonly Played[]
  readonly pauses: readonly Pause[]
  readonly jumps: readonly Jump[]
}

const LEAST_PAUSE_S = 1

export const secondsBetween = (since: string, at: string): number => (Date.parse(at) - Date.parse(since)) / 1000

/** Steps that go on where the one before ended are one stretch; a pause is the whole of the time that the film stood still. */
export function stripOf(steps: readonly TimelineStep[]): Strip {
  const played: Played[] = []
  const pauses: Pause[] = []
  const jumps: Jump[] = []
  let before: 'played' | 'pause' | 'jump' | undefined
  for (const step of steps) {
    const { kind, since, at, from, to } = step
    const is = kind === 'seek' ? 'jump' : to > from ? 'played' : 'pause'
    // Heartbeats follow each other faster than a person can pause.
    if (is === 'pause' && secondsBetween(since, at) < LEAST_PAUSE_S) continue
    if (is === 'jump') jumps.push({ from, to, at })
    else if (is === 'played') extend(played, before === is, { from, to, since, at })
    else extendPause(pauses, before === is, step)
    before = is
  }
  return { played, pauses, jumps }
}

function extend(played: Played[], goesOn: boolean, stretch: Played): void {
  const last = goesOn ? played.pop() : undefined
  played.push(last ? { ...last, to: stretch.to, at: stretch.at } : stretch)
}

function extendPause(pauses: Pause[], goesOn: boolean, { since, at, from }: TimelineStep): void {
  const last = goesOn ? pauses.pop() : undefined
  const seconds = secondsBetween(since, at)
  pauses.push(last ? { ...last, seconds: last.seconds + seconds } : { position: from, since, seconds })
}

/** Before the timeline is there, and for viewings without one. */
export function roughStrip({ startPosition, endPosition, startedAt, endedAt }: HistoryEntry): Strip {
  const to = Math.max(startPosition, endPosition)
  return {
    played: to > startPosition ? [{ from: startPosition, to, since: startedAt, at: endedAt ?? startedAt }] : [],
    pauses: [],
    jumps: [],
  }
}

/** Length of the film in seconds, as the entry knows it: the position and how far into the film that is. */
export function lengthIn({ endPosition, startPosition, percent }: HistoryEntry, strip: Strip): number {
  const furthest = Math.max(
    endPosition,
    startPosition,
    ...strip.played.map(({ to }) => to),
    ...strip.jumps.flatMap(({ from, to }) => [from, to]),
  )
  return Math.max(1, furthest, percent > 0 ? (endPosition * 100) / percent : 0)
}

export const playedSeconds = ({ played }: Strip): number => played.reduce((sum, { from, to }) => sum + to - from, 0)

export interface Span {
  readonly x: number
  readonly width: number
}

const LEAST_PX = 2

/** Place of a stretch of the film in a chart of this width. It never leaves the chart. */
export function spanOf({ from, to }: Pick<Played, 'from' | 'to'>, length: number, width: number): Span {
  const x = Math.min((from / length) * width, width - LEAST_PX)
  return { x, width: Math.min(Math.max(LEAST_PX, ((to - from) / length) * width), width - x) }
}

export interface StripRow {
  readonly played: Played | undefined
  readonly pauses: readonly Pause[]
  /** Where it jumped to the next row. */
  readonly jump: Jump | undefined
}

/** Rows of the chart, from the first moment down: each stretch with the pauses during and after it, until the next jump. */
export function rowsOf({ played, pauses, jumps }: Strip): readonly StripRow[] {
  const timed = [
    ...played.map((one) => ({ when: one.since, one, is: 'played' as const })),
    ...pauses.map((one) => ({ when: one.since, one, is: 'pause' as const })),
    ...jumps.map((one) => ({ when: one.at, one, is: 'jump' as const })),
  ].sort((a, b) => Date.parse(a.when) - Date.parse(b.when) || ORDER[a.is] - ORDER[b.is])
  const rows: { played: Played | undefined; pauses: Pause[]; jump: Jump | undefined }[] = []
  const row = (): (typeof rows)[number] => {
    const last = rows.at(-1)
    if (last && !last.jump) return last
    const made = { played: undefined, pauses: [], jump: undefined }
    rows.push(made)
    return made
  }
  for (const item of timed) {
    if (item.is === 'jump') row().jump = item.one
    else if (item.is === 'pause') row().pauses.push(item.one)
    else if (row().played) rows.push({ played: item.one, pauses: [], jump: undefined })
    else row().played = item.one
  }
  return rows
}

/** Of things at the same moment: a stretch that ended there was before the jump. */
const ORDER = { pause: 0, jump: 1, played: 2 } as const
