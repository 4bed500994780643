/** Timeline of a playback session: what its player did, one stretch after another, out of the events of its stream. */
import type { PlayState } from '../../events/playback-events.ts'
import type { RecordedEvent } from '../../events/recorded.ts'

export interface TimelineEntry {
  /** What the player did in this stretch, whatever it went over to at its end. `beat`: it claimed to play, and nothing moved. */
  readonly kind: 'play' | 'pause' | 'seek' | 'beat' | 'end'
  /** Wall time, never backwards: a clock that was put back stands still until its old time comes again. */
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
  /** What the player says that it does from here on. */
  readonly playState?: PlayState
}

export function timelineOf(events: Iterable<RecordedEvent>): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let playState: PlayState = 'playing'
  for (const event of events) {
    const step = stepOf(event)
    if (!step) continue
    const before = entries.at(-1)
    const since = before?.at ?? step.at
    const stretch = { since, at: step.at > since ? step.at : since, fromMs: before?.toMs ?? step.toMs, toMs: step.toMs }
    entries.push({ kind: kindOf(step, playState, stretch), ...stretch })
    playState = step.playState ?? playState
  }
  return entries
}

/** Undefined for events that tell nothing of what was played. */
function stepOf(event: RecordedEvent): Step | undefined {
  switch (event.type) {
    case 'PlaybackStarted':
      return { kind: 'start', at: event.at, toMs: event.data.positionMs }
    case 'PlaybackHeartbeat':
      return { kind: 'heartbeat', at: event.at, toMs: event.data.positionMs, playState: event.data.playState }
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

/** The film tells more than the player: one that says "paused" has played if the film went on since its last heartbeat. */
function kindOf({ kind, playState: now }: Step, before: PlayState, stretch: Pick<TimelineEntry, 'fromMs' | 'toMs'>): TimelineEntry['kind'] {
  if (kind === 'start') return 'play'
  if (kind !== 'heartbeat') return kind
  const movedMs = stretch.toMs - stretch.fromMs
  const isPaused = now === 'paused' && before === 'paused'
  if (movedMs < 0 || (movedMs > 0 && isPaused)) return 'seek'
  if (movedMs > 0) return 'play'
  return now === 'paused' || before === 'paused' ? 'pause' : 'beat'
}
