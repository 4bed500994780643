/**
 * Playback session: from its start to its end. Only heartbeats keep it alive; every node decides by the last heartbeat whether it is over.
 */
import { isBeforeEnd } from '../../vocabulary/resume-range.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { EventData } from '../../events/catalogue.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { CommandId } from '../../vocabulary/id.ts'
import { acknowledged, issued } from '../../vocabulary/playback-commands.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { EndReason, PlayerCommand, PlayState } from '../../events/playback-events.ts'
import { USUAL_MAPPER, type ToneMapping } from '../../vocabulary/tone-mapper.ts'
import type { Decider, Decision } from '../decider.ts'
import { isRefusal, refuse } from '../refusal.ts'
import { SOFTWARE } from '../streaming/encoders.ts'
import { NO_SUCH_SESSION } from './refusals.ts'

/** How often players are asked to send a heartbeat. */
export const HEARTBEAT_SECONDS = 10

export interface PlaybackState {
  readonly started: EventData['PlaybackStarted'] | null
  readonly positionMs: number
  readonly playState: PlayState
  readonly sequence: number | null
  /** Whether the player reported a position, by a heartbeat or a seek, in this session. */
  readonly hasReportedPosition: boolean
  readonly hasSentHeartbeat: boolean
  readonly beatAtMs: number
  readonly ended: boolean
  /** Commands that the player has not received yet, oldest first. */
  readonly commands: readonly { readonly id: CommandId }[]
  /** When the player was last ordered to reload its playlists; its start counts as well. */
  readonly reloadAtMs: number
  /** Fencing token of the newest actor that adopted the session. */
  readonly actor: number
}

export const playback: Decider<PlaybackState> = {
  initial: {
    started: null,
    positionMs: 0,
    playState: 'paused',
    sequence: null,
    hasReportedPosition: false,
    hasSentHeartbeat: false,
    beatAtMs: 0,
    ended: false,
    commands: [],
    reloadAtMs: 0,
    actor: 0,
  },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'PlaybackStarted':
        return { ...state, started: event.data, positionMs: event.data.positionMs, beatAtMs: Date.parse(at), reloadAtMs: Date.parse(at) }
      case 'PlaybackHeartbeat': {
        const { positionMs, playState, lastCommandId } = event.data
        const sequence = event.data.sequence ?? state.sequence
        const commands = acknowledged(state.commands, lastCommandId)
        const reported = { hasReportedPosition: true, hasSentHeartbeat: true, beatAtMs: Date.parse(at) }
        return { ...state, positionMs, playState, sequence, commands, ...reported }
      }
      case 'PlaybackSeeked':
        return { ...state, positionMs: event.data.positionMs, hasReportedPosition: true }
      case 'PlaybackEncoderChanged':
        return state.started ? { ...state, started: { ...state.started, ...choiceOf(event.data) } } : state
      case 'PlaybackCommandIssued': {
        const { commandId: id, command } = event.data
        const reloadAtMs = command === 'reload' ? Date.parse(at) : state.reloadAtMs
        return { ...state, commands: issued(state.commands, { id }), reloadAtMs }
      }
      case 'PlaybackEnded':
      case 'PlaybackExpired':
        return { ...state, ended: true }
      case 'PlaybackAdopted':
        return { ...state, actor: event.data.token }
      default:
        return state
    }
  },
}

/** Positions up to this far beyond the end are clamped, farther ones refused. */
const SEEK_SLACK_MS = 1000
const BEAT_SLACK_MS = 10_000

/** A position between 0 and the duration, or a refusal that names the member. */
export function clampPosition(positionMs: number, durationMs: number, slack: 'seek' | 'heartbeat', path = 'position') {
  const slackMs = slack === 'seek' ? SEEK_SLACK_MS : BEAT_SLACK_MS
  // NaN, for example from an infinite number, passes every comparison.
  if (!Number.isFinite(positionMs) || positionMs < 0 || positionMs > durationMs + slackMs) {
    return refuse('invalid', `The position must be between 0 and ${durationMs / 1000} seconds`, { path })
  }
  return Math.min(positionMs, durationMs)
}

/** Takes the session over: from now on older actors are refused. */
export const adopt =
  (node: string, token: number) =>
  ({ started, ended }: PlaybackState): Decision =>
    !started || ended ? NO_SUCH_SESSION : [{ type: 'PlaybackAdopted', data: { sessionId: started.sessionId, node, token } }]

/** Whether a newer actor has taken the session over. */
export const isSuperseded = (state: PlaybackState, token: number) => state.actor !== token

/** How video is encoded. */
export interface EncoderChoice {
  readonly encoder: Encoder
  /** Missing: unchanged. */
  readonly toneMapping?: ToneMapping
}

export interface HeartbeatFacts {
  readonly positionMs: number
  readonly playState?: PlayState
  readonly rate?: number
  readonly sequence?: number
  /** The last command that the player reports as executed. */
  readonly lastCommandId?: string
}

/** Orders the player to reload its playlists before their tokens expire, unless it was ordered to since `beforeMs`. */
export interface PlaylistReload {
  readonly commandId: CommandId
  readonly beforeMs: number
}

/** Replaces an encoder that no agent has any more. `commandId`: of the command to reload the playlists, which name the encoder. */
export interface EncoderSwitch extends EncoderChoice {
  readonly commandId: CommandId
}

export interface Order {
  readonly commandId: CommandId
  readonly command: PlayerCommand
  /** For the viewer, with whose key it is sealed. */
  readonly message: Sealed | null
}

const live = (state: PlaybackState, nowMs: number) =>
  state.started && !state.ended && nowMs < state.beatAtMs + state.started.idleSeconds * 1000 ? state.started : undefined

export const isLive = (state: PlaybackState, nowMs: number): boolean => live(state, nowMs) !== undefined

const keys = ({ sessionId, userId, movieId, fileId, durationMs }: EventData['PlaybackStarted']) => ({
  sessionId,
  userId,
  movieId,
  fileId,
  durationMs,
})

export const beat =
  (facts: HeartbeatFacts, nowMs: number) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    if (!started) return NO_SUCH_SESSION
    const positionMs = clampPosition(facts.positionMs, started.durationMs, 'heartbeat')
    if (typeof positionMs !== 'number') return positionMs
    if (facts.sequence !== undefined && state.sequence !== null && facts.sequence < state.sequence) return []
    const playState = facts.playState ?? (state.hasSentHeartbeat ? state.playState : 'playing')
    const last = state.commands.find(({ id }) => id === facts.lastCommandId)
    const data = { ...keys(started), positionMs, playState, rate: facts.rate ?? 1, sequence: facts.sequence ?? null }
    return [{ type: 'PlaybackHeartbeat', data: { ...data, ...(last ? { lastCommandId: last.id } : {}) } }]
  }

/** Does nothing if the player has been ordered to in the meantime: nodes learn of it at different times. */
export const reloadPlaylists =
  ({ commandId, beforeMs }: PlaylistReload, nowMs: number) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    if (!started) return NO_SUCH_SESSION
    return state.reloadAtMs > beforeMs ? [] : [issue(started, reloadOrder(commandId))]
  }

/** Does nothing if the session has the choice already. */
export const switchEncoder =
  ({ commandId, ...choice }: EncoderSwitch, nowMs: number) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    if (!started) return NO_SUCH_SESSION
    if (!isOther(started, choice)) return []
    const { sessionId, userId, movieId } = started
    const changed = { type: 'PlaybackEncoderChanged', data: { sessionId, userId, movieId, ...choiceOf(choice) } } as const
    return [changed, issue(started, reloadOrder(commandId))]
  }

function isOther({ encoder = SOFTWARE, toneMapping = USUAL_MAPPER }: EventData['PlaybackStarted'], choice: EncoderChoice): boolean {
  return choice.encoder !== encoder || (choice.toneMapping ?? toneMapping) !== toneMapping
}

function choiceOf({ encoder, toneMapping }: EncoderChoice): EncoderChoice {
  return { encoder, ...omitUndefined({ toneMapping }) }
}

const reloadOrder = (commandId: CommandId): Order => ({ commandId, command: 'reload', message: null })

function issue({ sessionId, userId, movieId }: EventData['PlaybackStarted'], order: Order) {
  return { type: 'PlaybackCommandIssued', data: { sessionId, userId, movieId, ...order } } as const
}

/** Sends a command to the player. */
export const command =
  (order: Order, nowMs: number) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    return started ? [issue(started, order)] : NO_SUCH_SESSION
  }

export const seek =
  (positionMs: number, nowMs: number) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    if (!started) return NO_SUCH_SESSION
    const clamped = clampPosition(positionMs, started.durationMs, 'seek')
    if (typeof clamped !== 'number') return clamped
    return [{ type: 'PlaybackSeeked', data: { ...keys(started), fromMs: state.positionMs, positionMs: clamped } }]
  }

export interface EndFacts {
  /** The last command for the player. */
  readonly last?: Order
  /** Final position that the player reported; absent: the last known position. */
  readonly positionMs?: number
}

/** A final position is a separate heartbeat in the same append, so that every reaction to heartbeats also handles it. */
export const end =
  (reason: EndReason, nowMs: number, { last, positionMs }: EndFacts = {}) =>
  (state: PlaybackState): Decision => {
    const started = live(state, nowMs)
    if (!started) return NO_SUCH_SESSION
    const beats = positionMs === undefined ? [] : beat({ positionMs }, nowMs)(state)
    if (isRefusal(beats)) return beats
    const at = new Date(nowMs).toISOString()
    const stopped = beats.reduce((before, event) => playback.evolve(before, event, at), state)
    const finalPosition = { positionMs: stopped.positionMs, told: stopped.hasReportedPosition }
    const ended = { type: 'PlaybackEnded', data: { ...keys(started), reason, ...finalPosition } } as const
    return [...beats, ...(last ? [issue(started, last)] : []), ended]
  }

/** Records that the session is over because of missing heartbeats; does nothing if it is not, or has ended. */
export const expire =
  (nowMs: number) =>
  (state: PlaybackState): Decision => {
    if (!state.started || state.ended || live(state, nowMs)) return []
    const { sessionId, userId, movieId, idleSeconds } = state.started
    const expiredAt = new Date(state.beatAtMs + idleSeconds * 1000).toISOString()
    return [{ type: 'PlaybackExpired', data: { sessionId, userId, movieId, expiredAt, positionMs: state.positionMs } }]
  }

/** Whether the film counts as watched from there on. */
export const completes = (positionMs: number, durationMs: number) => durationMs > 0 && !isBeforeEnd(positionMs, durationMs)

/** Time in milliseconds at which a session without further heartbeats is over. */
export const idleAtMs = ({ beatAt, idleSeconds }: { readonly beatAt: string; readonly idleSeconds: number }) =>
  Date.parse(beatAt) + idleSeconds * 1000
