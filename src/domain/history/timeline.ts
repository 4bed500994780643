/** Timeline of a playback session: what its player did, one step after another, out of the events of its stream. */
import type { PlayState } from '../../events/playback-events.ts'
import type { RecordedEvent } from '../../events/recorded.ts'

export interface TimelineEntry {
  /** `play` and `pause`: the player went over to it; `beat`: it went on as before. */
  readonly kind: 'play' | 'pause' | 'seek' | 'beat' | 'end'
  /** When the stretch that ends with this entry began, and when it ended. */
  readonly since: string
  readonly at: string
  /** Positions in the film at these times. */
  readonly fromMs: number
  readonly toMs: number
}

type Step = Pick<TimelineEntry, 'kind' | 'at' | 'toMs'>

export function timelineOf(events: Iterable<RecordedEvent>): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let playState: PlayState = 'playing'
  for (const event of events) {
    const step = stepOf(event, playState)
    if (!step) continue
    if (event.type === 'PlaybackHeartbeat') playState = event.data.playState
    const before = entries.at(-1)
    entries.push({ ...step, since: before?.at ?? step.at, fromMs: before?.toMs ?? step.toMs })
  }
  return entries
}

/** Undefined for events that tell nothing of what was played. */
function stepOf(event: RecordedEvent, before: PlayState): Step | undefined {
  switch (event.type) {
    case 'PlaybackStarted':
      return { kind: 'play', at: event.at, toMs: event.data.positionMs }
    case 'PlaybackHeartbeat':
      return { kind: kindOf(event.data.playState, before), at: event.at, toMs: event.data.positionMs }
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

/** A player that buffers goes on with what it did. */
function kindOf(now: PlayState, before: PlayState): TimelineEntry['kind'] {
  if (now === before || now === 'buffering') return 'beat'
  return now === 'paused' ? 'pause' : 'play'
}
