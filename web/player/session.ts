/**
 * Reports a playback session to the server: a heartbeat every ten seconds and whenever something changes, with a sequence number, so
 * that one that is late does not undo a newer one. Commands come with the answers and as live events; each is carried out once and
 * acknowledged. A server that does not answer is tried again, slower and slower, while playback goes on from the buffer.
 */
import type { components, operations } from '../api/schema.d.ts'
import { isPassing, type Answer, type Problem } from '../api/problems.ts'

type Schemas = components['schemas']
export type Beat = operations['sendHeartbeat']['requestBody']['content']['application/json']
export type BeatAnswer = Schemas['HeartbeatAnswer']
export type Command = Schemas['PlayerCommand']

export interface Reading {
  readonly position: number
  readonly playState: 'playing' | 'paused' | 'buffering'
  readonly rate: number
}

export interface BeatOptions {
  /** It has to arrive even if the page closes. */
  readonly keepalive?: boolean
  readonly signal?: AbortSignal
}

export interface SessionRequests {
  /** @throws if it is aborted */
  beat(id: string, body: Beat, options: BeatOptions): Promise<Answer<BeatAnswer>>
  /** Without a position if nothing was played: opening and closing a film changes nothing. */
  end(id: string, position: number | undefined): void
}

export interface Timers {
  set(run: () => void, ms: number): unknown
  clear(timer: unknown): void
}

export interface SessionOptions {
  readonly requests: SessionRequests
  readonly timers: Timers
  readonly read: () => Reading
  readonly onCommand: (command: Command) => void
  readonly onAnswer: (answer: BeatAnswer) => void
  /** There is no such session any more. */
  readonly onLost: () => void
  /** The person may not do this any more. */
  readonly onRefused: (problem: Problem) => void
  /** Whether the server has stopped answering. */
  readonly onAway: (isAway: boolean) => void
}

export interface SessionReport {
  /** Begins with a new session; nothing is sent before `moved`. */
  follow(id: string): void
  /** The video plays: from here on there is something to report. */
  moved(): void
  /** Reports soon; several within `afterMs` are one. */
  report(afterMs?: number): void
  /** Reports at once, in a way that survives the page. */
  reportLast(): void
  /** A command that came as a live event. */
  command(command: Command): void
  /** Ends the session. */
  end(): void
}

const EVERY_MS = 10_000
const FIRST_WAIT_MS = 1000
/** Failures in a row after which the person sees a message. */
const AWAY_AFTER = 2
const COMMANDS_KEPT = 50

interface State {
  id: string | undefined
  sequence: number
  hasMoved: boolean
  timer: unknown
  /** Aborts the heartbeat that has no answer yet. */
  sending: AbortController | undefined
  isDue: boolean
  failures: number
  lastCommandId: string | undefined
  readonly done: string[]
}

const fresh = (): State => ({
  id: undefined,
  sequence: 0,
  hasMoved: false,
  timer: undefined,
  sending: undefined,
  isDue: false,
  failures: 0,
  lastCommandId: undefined,
  done: [],
})

export function reportSession(options: SessionOptions): SessionReport {
  const { requests, timers, read } = options
  let state = fresh()

  function schedule(ms: number): void {
    timers.clear(state.timer)
    state.timer = timers.set(send, ms)
  }

  function body(): Beat {
    const { position, playState, rate } = read()
    state.sequence += 1
    const last = state.lastCommandId
    return { position, playState, rate, sequence: state.sequence, ...(last === undefined ? {} : { lastCommandId: last }) }
  }

  function send(): void {
    if (state.id === undefined || !state.hasMoved) return
    if (state.sending) state.isDue = true
    else void exchange(state, state.id)
  }

  async function exchange(of: State, id: string): Promise<void> {
    const { signal } = (of.sending = new AbortController())
    of.isDue = false
    timers.clear(of.timer)
    const answer = await requests.beat(id, body(), { signal }).catch(() => undefined)
    of.sending = undefined
    // A session that has ended meanwhile has nothing more to say.
    if (of !== state || !answer) return
    if (answer.ok) taken(answer.value)
    else refused(answer.problem)
  }

  function taken(answer: BeatAnswer): void {
    if (state.failures >= AWAY_AFTER) options.onAway(false)
    state.failures = 0
    const of = state
    options.onAnswer(answer)
    for (const each of answer.commands) carryOut(each)
    // What was carried out may have ended the session or begun another one.
    if (of !== state) return
    if (answer.state === 'ended') lost()
    else schedule(state.isDue ? 0 : EVERY_MS)
  }

  function refused(problem: Problem): void {
    if (problem.status === 404) return lost()
    if (problem.status === 401 || problem.status === 403) return options.onRefused(problem)
    if (!isPassing(problem)) return schedule(EVERY_MS)
    state.failures += 1
    if (state.failures === AWAY_AFTER) options.onAway(true)
    const waitMs = (problem.retryAfterSeconds ?? 0) * 1000 || FIRST_WAIT_MS * 2 ** (state.failures - 1)
    schedule(Math.min(problem.status === 429 ? Infinity : EVERY_MS, waitMs))
  }

  function lost(): void {
    stop()
    options.onLost()
  }

  function stop(): void {
    timers.clear(state.timer)
    // It would arrive after the session has ended, and the end reports the position.
    state.sending?.abort()
    if (state.failures >= AWAY_AFTER) options.onAway(false)
    state = fresh()
  }

  function carryOut(command: Command): void {
    if (state.done.includes(command.id)) return
    state.done.push(command.id)
    if (state.done.length > COMMANDS_KEPT) state.done.shift()
    state.lastCommandId = command.id
    // Acknowledged at once: until then the server repeats it.
    state.isDue = true
    options.onCommand(command)
  }

  return {
    follow(id) {
      stop()
      state.id = id
    },
    moved() {
      if (state.hasMoved || state.id === undefined) return
      state.hasMoved = true
      send()
    },
    report(afterMs = 0) {
      if (state.id === undefined || !state.hasMoved) return
      if (afterMs === 0) send()
      else schedule(afterMs)
    },
    reportLast() {
      if (state.id !== undefined && state.hasMoved) void requests.beat(state.id, body(), { keepalive: true })
    },
    command(command) {
      if (state.id === undefined) return
      carryOut(command)
      if (state.isDue) send()
    },
    end() {
      const { id, hasMoved } = state
      stop()
      if (id !== undefined) requests.end(id, hasMoved ? read().position : undefined)
    },
  }
}
