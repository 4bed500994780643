/** The source of the media element: which engine plays the session, from where, and the change from one to another without a flash. */
import { engineOrder, supportOf, type Choice, type Engine, type EngineKind, type EngineOptions, type Failure } from './engine.ts'
import { playFile } from './file-engine.ts'
import { startAhead } from './head-start.ts'
import { loadHls, playHls } from './hls-engine.ts'
import { playNative } from './native-engine.ts'
import { thumbnailPlan } from './requests.ts'
import type { PlayerState } from './state.ts'
import { createStill } from './still.ts'
import { warmUp } from './warm-up.ts'
import { createThumbnails, planUrl, type Thumbnails } from './thumbnails.ts'

export interface SourceOptions {
  readonly video: HTMLVideoElement
  readonly canvas: HTMLCanvasElement
  readonly state: PlayerState
  /** The server has no such stream any more. */
  readonly onGone: () => void
  /** Whether the server has stopped answering the requests for the streams. */
  readonly onAway: (isAway: boolean) => void
}

export interface Source {
  /** Plays the session of the state from the position. */
  begin(at: number, plays: boolean): void
  /** The same again from where it is: playlists and streams are reloaded. */
  reload(): void
  play(): void
  pause(): void
  seek(position: number): void
  /** Quality and sound have been chosen: takes them from the state. */
  choose(): void
  isSwitching(): boolean
  engine(): Engine | undefined
  thumbnails(): Thumbnails | undefined
  findThumbnails(): void
  stop(): void
}

interface Playing {
  engine: Engine | undefined
  /** Whether it should play: the element itself stops when its source is exchanged. */
  wants: boolean
  isSwitching: boolean
  /** Counts exchanges: what an older one loads comes too late. */
  turn: number
  at: number
  readonly broken: Set<EngineKind>
  thumbnails: Thumbnails | undefined
}

export function createSource({ video, canvas, state, onGone, onAway }: SourceOptions): Source {
  const still = createStill(video, canvas)
  const own: Playing = { engine: undefined, wants: true, isSwitching: false, turn: 0, at: 0, broken: new Set(), thumbnails: undefined }
  const choice = (): Choice => ({ quality: state.quality.value, audio: state.audio.value })

  /** The engine for what is chosen now, of those that have not failed. */
  const best = (): EngineKind | undefined =>
    state.session.value && engineOrder(state.session.value, choice(), supportOf(video)).find((one) => !own.broken.has(one))

  function settle(): void {
    if (!own.isSwitching) return
    own.isSwitching = false
    video.playbackRate = state.rate.value
    still.hide()
  }
  // The element shows the video of the new source from here on.
  video.addEventListener('loadeddata', settle)
  video.addEventListener('play', () => void (own.wants = true))
  video.addEventListener('pause', () => void (own.wants = own.isSwitching ? own.wants : false))

  async function exchange(at: number): Promise<void> {
    const session = state.session.value
    if (!session) return
    own.turn += 1
    const { turn } = own
    const kind = best()
    still.show()
    own.isSwitching = true
    own.at = at
    state.position.value = at
    state.waiting.value = true
    drop()
    if (kind === undefined) return fail('')
    const options: EngineOptions = {
      video,
      session,
      at,
      choice: choice(),
      onFailure: (failure) => turn === own.turn && failed(failure, kind),
      onAway: (isAway) => turn === own.turn && onAway(isAway),
      onQuality: (name) => void (state.shownQuality.value = name),
    }
    const engine = await makeEngine(kind, options, () => turn === own.turn)
    if (!engine) return
    own.engine = engine
    if (own.wants) start()
  }

  async function makeEngine(kind: EngineKind, options: EngineOptions, isCurrent: () => boolean): Promise<Engine | undefined> {
    if (kind === 'file') return playFile(options)
    if (kind === 'native') return playNative(options)
    const ahead = startAhead(options)
    const library = await loadHls().catch(() => undefined)
    if (isCurrent() && library) return playHls(library, options, ahead)
    ahead.stop()
    if (!isCurrent()) return undefined
    options.onFailure({ type: 'broken', detail: 'hls.js' })
    return undefined
  }

  function start(): void {
    // Refused without a gesture of the person: the button to play is shown then.
    video.play().catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'NotAllowedError') {
        own.wants = false
        state.paused.value = true
        state.waiting.value = false
      }
    })
  }

  function failed(failure: Failure, kind: EngineKind): void {
    if (failure.type === 'gone') return onGone()
    own.broken.add(kind)
    if (best() === undefined) fail(failure.detail)
    else void exchange(state.position.value)
  }

  function fail(detail: string): void {
    stop()
    state.over.value = { type: 'cannot-play', detail }
    state.waiting.value = false
  }

  function findThumbnails(): void {
    const session = state.session.value
    own.thumbnails = undefined
    if (!session) return
    const url = planUrl(session.trickplayUrl ?? `/api/stream/${session.id}/trickplay/`)
    own.thumbnails = createThumbnails(
      {
        readPlan: () => thumbnailPlan(url),
        fetchSheet: (sheet) => void (new Image().src = sheet),
        base: new URL(url, location.href).href,
      },
      () => void (state.thumbnails.value += 1),
    )
  }

  function stop(): void {
    own.turn += 1
    own.isSwitching = true
    drop()
  }

  function drop(): void {
    own.engine?.destroy()
    own.engine = undefined
    onAway(false)
  }

  return {
    begin(at, plays) {
      own.broken.clear()
      own.wants = plays
      own.thumbnails = undefined
      if (state.session.value?.trickplayUrl) findThumbnails()
      void exchange(at)
    },
    reload: () => void exchange(state.position.value),
    play() {
      own.wants = true
      if (own.engine) start()
    },
    pause() {
      own.wants = false
      state.paused.value = true
      video.pause()
    },
    seek(position) {
      state.position.value = position
      if (own.isSwitching && video.readyState === 0) void exchange(position)
      else video.currentTime = position
    },
    choose() {
      if (!own.engine) return
      const [session, isBest] = [state.session.value, own.engine.kind === best()]
      if (isBest && own.engine.choose(choice())) return
      if (!session) return
      const { turn } = own
      void warmUp(session, choice(), state.position.value).then(() => (turn === own.turn ? exchange(state.position.value) : undefined))
    },
    isSwitching: () => own.isSwitching,
    engine: () => own.engine,
    thumbnails: () => own.thumbnails,
    findThumbnails,
    stop,
  }
}
