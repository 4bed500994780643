/** Plays HLS with hls.js over Media Source Extensions. The library is a chunk of its own, loaded when a film is about to be played. */
import type HlsClass from 'hls.js'
import type { ErrorData, HlsConfig, LoadPolicy } from 'hls.js'
import { backOffMs, type Choice, type Engine, type EngineOptions } from './engine.ts'
import { firstQuality, loaderWith, type HeadStart } from './head-start.ts'
import { watchInitLoop } from './init-loop.ts'
import { masterWithToken } from './native-engine.ts'
import { soundOf } from './tracks.ts'
import { warmUp } from './warm-up.ts'

const importHls = () => import('hls.js')
type Library = Awaited<ReturnType<typeof importHls>>
let library: Promise<Library> | undefined

/** Loads hls.js, once. Film pages call it when they are idle. */
export function loadHls(): Promise<Library> {
  library ??= importHls().catch((cause: unknown) => {
    library = undefined
    throw cause
  })
  return library
}

const GONE: ReadonlySet<number> = new Set([401, 403, 404])
const RECOVERIES = 2
/** Requests in a row without an answer after which the person sees a message. */
const AWAY_AFTER = 2
/** Bits per second that are assumed before anything is known: homes are on fast networks. */
const FIRST_ESTIMATE = 20_000_000

/** A server that restarts is back within seconds, and a first segment may have to be made: both are waited for. */
const PATIENT: LoadPolicy = {
  default: {
    maxTimeToFirstByteMs: 40_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: { maxNumRetry: 3, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 12, retryDelayMs: 500, maxRetryDelayMs: 8000, backoff: 'exponential' },
  },
}

let lastEstimate: number | undefined

function configOf({ session, at, choice }: EngineOptions, loader: HlsConfig['loader']): Partial<HlsConfig> {
  const estimate = lastEstimate ?? FIRST_ESTIMATE
  return {
    loader,
    // A worker from a blob would break the policy of the page, and fragmented MP4 needs no repackaging.
    enableWorker: false,
    startPosition: at,
    backBufferLength: 60,
    // Where the video is copied, a smaller one is no help to anybody: it costs the server a transcoding.
    capLevelToPlayerSize: choice.quality === undefined && session.qualities.every(({ method }) => method === 'transcode'),
    abrEwmaDefaultEstimate: estimate,
    abrEwmaDefaultEstimateMax: estimate,
    testBandwidth: false,
    // Subtitles are drawn by the player itself.
    renderTextTracksNatively: false,
    enableWebVTT: false,
    enableIMSC1: false,
    enableCEA708Captions: false,
    manifestLoadPolicy: PATIENT,
    playlistLoadPolicy: PATIENT,
    fragLoadPolicy: PATIENT,
  }
}

const qualityIn = (url: string | undefined): string | undefined => /\/([^/]+)\/playlist\.m3u8/.exec(url ?? '')?.[1]
const audioIndexIn = (url: string): number => Number(/\/audio-(\d+)(?:-\w+)?\/playlist\.m3u8/.exec(url)?.[1] ?? -1)

export function playHls({ default: Hls }: Library, options: EngineOptions, ahead: HeadStart): Engine {
  const { video, session, onQuality } = options
  const hls = new Hls(configOf(options, loaderWith(Hls.DefaultConfig.loader, ahead)))
  let wanted = options.choice
  const stopErrors = followErrors(Hls, hls, options)
  const stopLoops = breakLoops(Hls, hls, options)

  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    const first = levelOf(hls, firstQuality(session, wanted))
    if (first >= 0) hls.startLevel = first
    if (wanted.quality !== undefined && first >= 0) hls.loadLevel = first
  })
  // Before the first byte of sound: nothing is switched afterwards.
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () => applyAudio(hls, wanted))
  hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => onQuality(qualityIn(hls.levels[level]?.url[0])))
  hls.attachMedia(video)
  hls.on(Hls.Events.MEDIA_ATTACHED, () => addAirPlay(options))
  hls.loadSource(session.masterPlaylistUrl)

  /** The server makes the segment first: what is playing goes on meanwhile. */
  async function changeQuality(choice: Choice): Promise<void> {
    if (choice.quality !== undefined) await warmUp(session, choice, video.currentTime)
    if (choice === wanted) hls.nextLevel = levelOf(hls, choice.quality)
  }

  return {
    kind: 'hls',
    choose(choice) {
      const [isOtherQuality, isOtherAudio] = [choice.quality !== wanted.quality, choice.audio !== wanted.audio]
      wanted = choice
      if (isOtherAudio) changeAudio(hls, soundOf(session, choice.audio))
      if (isOtherQuality) void changeQuality(choice)
      return true
    },
    frameRate: () => hls.levels[hls.currentLevel]?.frameRate,
    bandwidth: () => hls.bandwidthEstimate,
    destroy() {
      stopErrors()
      stopLoops()
      ahead.stop()
      lastEstimate = hls.bandwidthEstimate
      hls.destroy()
    },
  }
}

/** With the best sound: a quality is listed once with each group of sound, the cheaper one first. */
const levelOf = (hls: HlsClass, quality: string | undefined): number =>
  quality === undefined ? -1 : hls.levels.map(({ url }) => qualityIn(url[0])).lastIndexOf(quality)

function applyAudio(hls: HlsClass, { audio }: Choice): void {
  if (audio === undefined) return
  const track = hls.audioTracks.findIndex(({ url }) => audioIndexIn(url) === audio)
  if (track >= 0 && track !== hls.audioTrack) hls.audioTrack = track
}

/** What plays goes on until the other sound is there. */
function changeAudio(hls: HlsClass, audio: number): void {
  const track = hls.audioTracks.findIndex(({ url }) => audioIndexIn(url) === audio)
  if (track >= 0) hls.nextAudioTrack = track
}

/** Safari plays to AirPlay receivers only from an address: hls.js leaves room for one beside its own source. */
function addAirPlay(options: EngineOptions): void {
  const { video } = options
  if (video.querySelector('source') === null || video.querySelector('source[type="application/x-mpegURL"]') !== null) return
  const source = document.createElement('source')
  source.type = 'application/x-mpegURL'
  source.src = masterWithToken(options)
  video.append(source)
  video.disableRemotePlayback = false
}

/** What the init segment's failure finds stopped, it leaves alone: so loading begins again only after that. Gives what ends it. */
function breakLoops(Hls: Library['default'], hls: HlsClass, { video }: EngineOptions): () => void {
  const loop = watchInitLoop(() => performance.now())
  let timer = 0
  hls.on(Hls.Events.FRAG_LOADING, (_event, { frag }) => {
    if (frag.sn !== 'initSegment' || !loop.asked(frag.url)) return
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      hls.stopLoad()
      timer = window.setTimeout(() => hls.startLoad(video.currentTime))
    })
  })
  return () => clearTimeout(timer)
}

/** Waits for a network that is away, repairs what the browser failed to decode twice, and gives up then. Gives what ends it. */
function followErrors(Hls: Library['default'], hls: HlsClass, { video, session, onFailure, onAway }: EngineOptions): () => void {
  const state = { failures: 0, unanswered: 0, recoveries: 0, timer: 0 }

  function again(): void {
    clearTimeout(state.timer)
    state.timer = window.setTimeout(() => {
      if (hls.levels.length === 0) hls.loadSource(session.masterPlaylistUrl)
      else hls.startLoad(video.currentTime)
    }, backOffMs(state.failures))
    state.failures += 1
  }

  function onError({ fatal, type, details, response }: ErrorData): void {
    if (type === Hls.ErrorTypes.NETWORK_ERROR && !response?.code) {
      state.unanswered += 1
      if (state.unanswered === AWAY_AFTER) onAway(true)
    }
    if (!fatal) return
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      if (GONE.has(response?.code ?? 0)) onFailure({ type: 'gone' })
      again()
    } else if (type === Hls.ErrorTypes.MEDIA_ERROR && state.recoveries < RECOVERIES && !/Codec/.test(details)) {
      state.recoveries += 1
      hls.recoverMediaError()
    } else {
      onFailure({ type: 'broken', detail: details })
    }
  }

  hls.on(Hls.Events.ERROR, (_event, data) => onError(data))
  hls.on(Hls.Events.FRAG_LOADED, () => {
    if (state.unanswered >= AWAY_AFTER) onAway(false)
    state.unanswered = 0
  })
  hls.on(Hls.Events.FRAG_BUFFERED, () => void (state.failures = 0))
  return () => clearTimeout(state.timer)
}
