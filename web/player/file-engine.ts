/** The file itself: nothing is transcoded or repackaged, and the browser seeks by byte ranges. */
import { backOffMs, suitsFile, type Engine, type EngineOptions } from './engine.ts'

/** `MediaError.code`. */
const NETWORK = 2

export function playFile({ video, session, at, onFailure, onAway, onQuality }: EngineOptions): Engine {
  const state = { position: at, failures: 0, timer: 0, isDone: false }
  const stops = new AbortController()
  const { signal } = stops

  function load(): void {
    video.src = session.fileUrl
    video.load()
  }

  video.addEventListener(
    'loadedmetadata',
    () => {
      onAway(false)
      video.currentTime = state.position
    },
    { signal },
  )
  video.addEventListener(
    'timeupdate',
    () => {
      if (video.readyState > 0 && !video.seeking) Object.assign(state, { position: video.currentTime, failures: 0 })
    },
    { signal },
  )
  video.addEventListener(
    'error',
    () => {
      const { error } = video
      if (state.isDone || error === null) return
      if (error.code !== NETWORK) return onFailure({ type: 'broken', detail: error.message })
      // The connection broke: a session that is gone shows with the next heartbeat.
      const wasPlaying = !video.paused
      onAway(true)
      onFailure({ type: 'gone' })
      state.timer = window.setTimeout(() => {
        load()
        if (wasPlaying) void video.play().catch(() => undefined)
      }, backOffMs(state.failures))
      state.failures += 1
    },
    { signal },
  )
  load()
  onQuality('original')

  return {
    kind: 'file',
    choose: (choice) => suitsFile(session, choice),
    frameRate: () => undefined,
    bandwidth: () => undefined,
    destroy() {
      state.isDone = true
      clearTimeout(state.timer)
      stops.abort()
      video.removeAttribute('src')
      video.load()
    },
  }
}
