/**
 * Counts plays like Jellyfin's plugin Playback Reporting, for the same players. The rules are those of its `EventMonitorEntryPoint` (commit
 * 1981a0d) and `PlaybackTracker`, version 18, and of `SessionManager` in Jellyfin 10.11 (commit fd98049):
 *
 * - A tracker belongs to a device, a user and a film. A start creates one; an existing one is closed now, and its time counts.
 * - A play is recorded 20 s after its start, if that device still plays that film; shorter plays are not.
 * - Progress is checked if the last check was more than 20 s ago: then a change between pause and play is recorded, at that time.
 * - Watched time is the server's local time from a start, or the end of a pause, to a pause or stop, in whole seconds. Positions and rates
 *   are ignored.
 * - A stop closes the tracker. Jellyfin stops a player that is silent for more than five minutes. It checks every five minutes, and only
 *   the film that the device played last.
 */
export interface Play {
  readonly key: string
  seconds: number
}

export interface Happened {
  readonly type: string
  readonly data: object
  readonly atMs: number
}

export interface PluginOptions {
  /** Device of a session; default: one device for all. */
  readonly deviceOf?: (sessionId: string) => string
  /** Offset of the server's local time from UTC, at a time. */
  readonly offsetMs?: (atMs: number) => number
}

interface Tracker {
  readonly key: string
  readonly marks: { readonly localMs: number; readonly kind: 'start' | 'pause' | 'play' | 'stop' }[]
  isPaused: boolean
  lookedMs: number
  play: Play | undefined
}

interface Device {
  playing: string | undefined
  heardMs: number
}

const REGISTERED_MS = 20_000
const IDLE_MS = 300_000

/** The plays that it records. Events come in the order in which the server receives them. */
export function reportedPlays(events: Iterable<Happened>, options: PluginOptions = {}): readonly Play[] {
  const { deviceOf = () => 'device', offsetMs = () => 0 } = options
  const plays: Play[] = []
  const trackers = new Map<string, Tracker>()
  const devices = new Map<string, Device>()
  let timers: { readonly dueMs: number; readonly run: () => void }[] = []
  const localOf = (atMs: number): number => atMs + offsetMs(atMs)
  const deviceAt = (name: string): Device => {
    const device = devices.get(name) ?? { playing: undefined, heardMs: 0 }
    devices.set(name, device)
    return device
  }

  function start(name: string, key: string, atMs: number): void {
    const before = trackers.get(key)
    if (before) count(before, localOf(atMs))
    trackers.set(key, { key, marks: [{ localMs: localOf(atMs), kind: 'start' }], isPaused: false, lookedMs: 0, play: undefined })
    timers.push({ dueMs: atMs + REGISTERED_MS, run: () => register(name, key) })
    hear(name, key, atMs)
  }

  function register(name: string, key: string): void {
    const tracker = trackers.get(key)
    if (!tracker || deviceAt(name).playing !== key) return
    tracker.play = { key, seconds: 0 }
    plays.push(tracker.play)
  }

  function progress(key: string, atMs: number, isPaused: boolean): void {
    const tracker = trackers.get(key)
    if (!tracker || atMs - tracker.lookedMs <= REGISTERED_MS) return
    tracker.lookedMs = atMs
    if (isPaused !== tracker.isPaused) tracker.marks.push({ localMs: localOf(atMs), kind: isPaused ? 'pause' : 'play' })
    tracker.isPaused = isPaused
    count(tracker, localOf(atMs))
  }

  function stop(name: string, key: string, atMs: number): void {
    const tracker = trackers.get(key)
    trackers.delete(key)
    const device = deviceAt(name)
    device.playing = undefined
    if (!tracker) return
    tracker.marks.push({ localMs: localOf(atMs), kind: 'stop' })
    count(tracker, localOf(atMs))
  }

  /** The device now plays this; if it falls silent, the next check stops it. */
  function hear(name: string, key: string, atMs: number): void {
    Object.assign(deviceAt(name), { playing: key, heardMs: atMs })
    const dueMs = (Math.floor((atMs + IDLE_MS) / IDLE_MS) + 1) * IDLE_MS
    timers.push({ dueMs, run: () => void (deviceAt(name).playing === key && deviceAt(name).heardMs === atMs && stop(name, key, dueMs)) })
  }

  function passTo(atMs: number): void {
    const due = timers.filter(({ dueMs }) => dueMs <= atMs).toSorted((a, b) => a.dueMs - b.dueMs)
    timers = timers.filter(({ dueMs }) => dueMs > atMs)
    for (const { run } of due) run()
  }

  for (const { type, data, atMs } of events) {
    const { sessionId, userId, movieId, playState } = data as Readonly<Record<string, unknown>>
    if (typeof sessionId !== 'string') continue
    passTo(atMs)
    const name = `${deviceOf(sessionId)} ${String(userId)}`
    const key = `${name} ${String(movieId)}`
    if (type === 'PlaybackStarted') start(name, key, atMs)
    if (type === 'PlaybackEnded') stop(name, key, atMs)
    if (type !== 'PlaybackHeartbeat') continue
    hear(name, key, atMs)
    progress(key, atMs, playState === 'paused')
  }
  passTo(Number.POSITIVE_INFINITY)
  return plays
}

/** From each start, or end of a pause, to the next pause or stop; `nowMs` stands for a missing stop. */
function count({ marks, play }: Tracker, nowMs: number): void {
  if (!play) return
  const all = marks.at(-1)?.kind === 'stop' ? marks : [...marks, { localMs: nowMs, kind: 'stop' as const }]
  play.seconds = all.reduce((seconds, { localMs, kind }, n) => {
    const before = all[n - 1]
    const isPlayed = (before?.kind === 'start' || before?.kind === 'play') && (kind === 'stop' || kind === 'pause')
    return isPlayed ? seconds + Math.trunc((localMs - before.localMs) / 1000) : seconds
  }, 0)
}
