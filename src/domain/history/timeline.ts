/** Builds the timeline of a playback session from its stream: what its player did, one stretch after another. */
import type { PlayState } from '../../events/playback-events.ts'
import type { RecordedEvent } from '../../events/recorded.ts'

export interface TimelineEntry {
  /**
   * What the player did in this stretch, not what it changed to at its end. `beat`: it claimed to play, but its position did not change.
   */
  readonly kind: 'play' | 'pause' | 'seek' | 'beat' | 'end'
  /** Wall time, which never decreases: if a clock was put back, time stands still until it has caught up. */
  readonly since: string
  readonly at: string
  /** Positions in the film at these times. */
  readonly fromMs: number
  readonly toMs: number
}

interface Step {
  readonly at: string
  readonly toMs: number
  readonly kind: Exclude<TimelineEntry['kind'], 'play' | 'pause' | 'beat'> | 'start' | 'heartbeat'
  /** The state that the player reports from here on. */
  readonly playState?: PlayState
  readonly rate?: number
}

type Stretch = Omit<TimelineEntry, 'kind'>

/** A position that is further ahead than time allows by more than this was sought: heartbeats may be late. */
const LATE_MS = 8_000

export function timelineOf(events: Iterable<RecordedEvent>): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let playState: PlayState = 'playing'
  for (const event of events) {
    const step = stepOf(event)
    if (!step) continue
    const before = entries.at(-1)
    const since = before?.at ?? step.at
    const stretch = { since, at: step.at > since ? step.at : since, fromMs: before?.toMs ?? step.toMs, toMs: step.toMs }
    const kind = kindOf(step, playState, stretch)
    entries.push(...(kind === 'play' ? playedOf(step, playState, stretch) : [{ kind, ...stretch }]))
    playState = step.playState ?? playState
  }
  return entries
}

/** Undefined for events without information about playback. */
function stepOf(event: RecordedEvent): Step | undefined {
  switch (event.type) {
    case 'PlaybackStarted':
      return { kind: 'start', at: event.at, toMs: event.data.positionMs }
    case 'PlaybackHeartbeat':
      return { kind: 'heartbeat', at: event.at, toMs: event.data.positionMs, playState: event.data.playState, rate: event.data.rate }
    case 'PlaybackSeeked':
      return { kind: 'seek', at: event.at, toMs: event.data.positionMs }
    case 'PlaybackEnded':
      return { kind: 'end', at: event.at, toMs: event.data.positionMs }
    case 'PlaybackExpired':
      return { kind: 'end', at: event.data.expiredAt, toMs: event.data.positionMs }
    default:
      return undefined
  }
}

/**
 * The position is more reliable than the reported state: a player that reports "paused" has played if the position advanced since its last
 * heartbeat.
 */
function kindOf({ kind, playState: now }: Step, before: PlayState, stretch: Stretch): TimelineEntry['kind'] {
  if (kind === 'start') return 'play'
  if (kind !== 'heartbeat') return kind
  const movedMs = stretch.toMs - stretch.fromMs
  const isPaused = now === 'paused' && before === 'paused'
  if (movedMs < 0 || (movedMs > 0 && isPaused)) return 'seek'
  if (movedMs > 0) return 'play'
  return now === 'paused' || before === 'paused' ? 'pause' : 'beat'
}

/** Players report at once when a person seeks, and many report no seek of its own: what time allows was played, and the rest was skipped. */
function playedOf({ at, rate = 1 }: Step, before: PlayState, stretch: Stretch): readonly TimelineEntry[] {
  const passedMs = Date.parse(at) - Date.parse(stretch.since)
  const playedToMs = stretch.fromMs + Math.floor(passedMs * Math.max(rate, 1))
  // If the clock was put back, time allows nothing.
  if (passedMs < 0 || stretch.toMs <= playedToMs + LATE_MS) return [{ kind: 'play', ...stretch }]
  if (before === 'paused' || passedMs === 0) return [{ kind: 'seek', ...stretch }]
  return [
    { kind: 'play', ...stretch, toMs: playedToMs },
    { kind: 'seek', ...stretch, since: stretch.at, fromMs: playedToMs },
  ]
}
