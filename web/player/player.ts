/**
 * The player: a session, an engine that plays it, and what the person and administrators want of it. What it shows is in its state; the
 * controls call its members and nothing else.
 */
import { onLive } from '../data/live.ts'
import { collectionQuery, movieQuery } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { forget } from '../data/who.ts'
import type { Problem } from '../api/problems.ts'
import { createControls, type Controls } from './controls-timer.ts'
import { createFlow, type Flow } from './flow.ts'
import { createSource, type Source } from './source.ts'
import { controlMedia } from './media-session.ts'
import { loadDevice, storeDevice, type DeviceChoices } from './look.ts'
import { sessionRequests } from './requests.ts'
import { followScreen, type Screen } from './screen.ts'
import { reportSession, type Command, type Reading } from './session.ts'
import { createState, durationOf, type PlayerState } from './state.ts'
import { followVideo } from './video.ts'

export interface PlayerOptions {
  readonly movieId: string
  /** A certain file of the film. */
  readonly fileId: string | undefined
  /** Seconds; undefined: where the person was. */
  readonly at: number | undefined
  readonly container: () => HTMLElement | null
  readonly onLeave: () => void
  readonly onNext: (movieId: string) => void
}

export interface Player {
  readonly movieId: string
  readonly video: HTMLVideoElement
  readonly canvas: HTMLCanvasElement
  readonly state: PlayerState
  readonly source: Source
  readonly flow: Flow
  readonly screen: Screen
  readonly controls: Controls
  readonly options: PlayerOptions
  play(): void
  pause(): void
  seek(position: number): void
  setDevice(change: Partial<DeviceChoices>): void
  /** `staysFull`: another film goes on in fullscreen. */
  destroy(staysFull?: boolean): void
}

const device = () => localStorage

/** A held key jumps many times a second, and little is played in between. */
const BETWEEN_JUMPS_MS = 2_000

/** What was played up to a jump counts as watched: gives what reports it. */
function reportJumps(report: () => void): () => void {
  let jumpedAtMs = -Infinity
  return () => {
    if (performance.now() - jumpedAtMs > BETWEEN_JUMPS_MS) report()
    jumpedAtMs = performance.now()
  }
}

function createVideo({ volume, muted }: PlayerState): HTMLVideoElement {
  const video = document.createElement('video')
  return Object.assign(video, { playsInline: true, preload: 'auto', volume: volume.value, muted: muted.value })
}

export function createPlayer(options: PlayerOptions): Player {
  const { movieId, fileId } = options
  const first = { movieId, ...(fileId === undefined ? {} : { fileId }) }
  const state = createState(loadDevice(device))
  const video = createVideo(state)
  const canvas = document.createElement('canvas')
  const life = new AbortController()

  /** Heartbeats find it out, and so does the engine: before the video has moved there are no heartbeats. */
  const onAway = (isAway: boolean): void => void (state.away.value = isAway ? { because: 'offline' } : undefined)
  const source = createSource({ video, canvas, state, onGone: () => report.report(), onAway })
  const screen = followScreen(video, options.container, state)
  const controls = createControls(state, options.container)
  const report = reportSession({
    requests: sessionRequests,
    timers: { set: (run, ms) => window.setTimeout(run, ms), clear: (timer) => clearTimeout(timer as number | undefined) },
    read: () => readingOf(state),
    onCommand: obey,
    onAnswer: ({ problem }) => {
      state.problem.value = problem
      flow.known()
      place()
    },
    onLost: () => flow.lost(),
    onRefused: refused,
    onAway,
  })
  const flow = createFlow({ first, begun: options.at, state, source, report, life: life.signal, onGone: () => over({ type: 'gone' }) })
  const media = controlMedia({
    play: () => player.play(),
    pause: () => player.pause(),
    seekBy: (seconds) => player.seek(state.position.value + seconds),
    seekTo: (position) => player.seek(position),
    stop: options.onLeave,
    next: () => state.next.value && options.onNext(state.next.value.id),
  })
  const beforeJump = reportJumps(() => report.report())
  const place = (): void =>
    media.place({ position: state.position.value, duration: durationOf(state), rate: state.rate.value }, state.paused.value)

  function over(why: NonNullable<PlayerState['over']['value']>): void {
    state.over.value = why
    flow.halt()
  }

  function refused({ status }: Problem): void {
    over({ type: 'gone' })
    if (status === 401) forget('ended')
  }

  function obey({ id, command, message }: Command): void {
    if (command === 'reload') return source.reload()
    if (command === 'message' && message !== null) state.messages.value = [...state.messages.value, { id, text: message }]
    if (command === 'pause') {
      video.pause()
      state.messages.value = [...state.messages.value, { id, text: message ?? '' }]
    }
    if (command === 'stop') {
      flow.cancel()
      over({ type: 'stopped', message })
      report.end()
    }
  }

  async function learnMovie(): Promise<void> {
    const movie = await queryClient.fetchQuery(movieQuery(movieId))
    state.movie.value = movie
    media.show(movie, false)
    if (movie.collectionId === null) return
    const { movies } = await queryClient.fetchQuery(collectionQuery(movie.collectionId))
    state.next.value = movies[movies.findIndex(({ id }) => id === movieId) + 1]
    media.show(movie, state.next.value !== undefined)
  }

  function listen(): void {
    const { signal } = life
    document.addEventListener('visibilitychange', () => (document.hidden ? report.reportLast() : report.report()), { signal })
    addEventListener('pagehide', () => report.end(), { signal })
    // The page comes back from the cache of the browser, and its session has ended.
    addEventListener('pageshow', ({ persisted }) => persisted && flow.resume(), { signal })
    const stopLive = onLive(['playback.command', 'access.changed', 'library.deleted', 'trickplay.ready'], (kind, data) => {
      const { commandId, command, message = null } = data
      if (kind !== 'playback.command') {
        if (kind === 'trickplay.ready' && data.movieId === movieId) source.findThumbnails()
        else report.report()
      } else if (data.sessionId === state.session.value?.id && commandId !== undefined) {
        const told = { id: commandId, command: command as Command['command'], message }
        // It may come after the session has ended.
        if (told.command === 'stop') obey(told)
        else report.command(told)
      }
    })
    signal.addEventListener('abort', stopLive)
  }

  const stopVideo = followVideo(video, state, {
    onChange(afterMs) {
      report.report(afterMs)
      place()
    },
    onMoving: () => report.moved(),
    onEnded() {
      over({ type: 'ended' })
      report.end()
    },
    isSwitching: source.isSwitching,
  })

  const player: Player = {
    movieId,
    video,
    canvas,
    state,
    source,
    flow,
    screen,
    controls,
    options,
    play() {
      if (state.over.value?.type === 'ended') flow.restart(0)
      else source.play()
    },
    pause: () => source.pause(),
    seek(position) {
      const to = Math.min(Math.max(0, position), durationOf(state))
      if (state.over.value?.type === 'ended') return flow.restart(to)
      beforeJump()
      source.seek(to)
    },
    setDevice(change) {
      state.device.value = { ...state.device.value, ...change }
      storeDevice(device, state.device.value)
    },
    destroy(staysFull = false) {
      life.abort()
      report.end()
      stopVideo()
      source.stop()
      screen.stop(staysFull)
      controls.stop()
      media.stop()
    },
  }

  listen()
  void learnMovie().catch(() => undefined)
  flow.begin()
  return player
}

function readingOf({ position, paused, waiting, rate }: PlayerState): Reading {
  const playState = paused.value ? 'paused' : waiting.value ? 'buffering' : 'playing'
  return { position: position.value, playState, rate: rate.value }
}
