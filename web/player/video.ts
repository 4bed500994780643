/** Follows a media element: its events become state, and reports to the server. */
import type { PlayerState } from './state.ts'
import { durationOf } from './state.ts'
import { stretches } from './times.ts'

export interface VideoEvents {
  /** Something changed that the server should know, within the time. */
  readonly onChange: (afterMs: number) => void
  /** The video plays. */
  readonly onMoving: () => void
  readonly onEnded: () => void
  /** Whether an engine is being exchanged: what the element says then is not what the person did. */
  readonly isSwitching: () => boolean
}

/** Seeks come in rows: one report is enough for those within this time. */
const SEEK_REPORT_MS = 300

export function followVideo(video: HTMLVideoElement, state: PlayerState, events: VideoEvents): () => void {
  const stops = new AbortController()
  const moved = { from: -1 }
  const on = (name: keyof HTMLMediaElementEventMap, run: () => void): void => video.addEventListener(name, run, { signal: stops.signal })

  on('play', () => void (state.paused.value = false))
  on('pause', () => {
    if (events.isSwitching() || video.ended) return
    state.paused.value = true
    if (moved.from >= 0 && video.currentTime > moved.from) events.onMoving()
    events.onChange(0)
  })
  on('playing', () => {
    state.waiting.value = false
    moved.from = video.currentTime
    events.onChange(SEEK_REPORT_MS)
  })
  on('waiting', () => void (state.waiting.value = true))
  on('canplay', () => void (state.waiting.value = false))
  on('timeupdate', () => {
    if (events.isSwitching() || video.seeking || video.readyState === 0) return
    state.position.value = Math.min(video.currentTime, durationOf(state) || Infinity)
    if (state.played.value.length !== video.played.length || !video.paused) state.played.value = stretches(video.played)
    if (!video.paused && moved.from >= 0 && video.currentTime > moved.from) events.onMoving()
  })
  on('progress', () => void (state.buffered.value = stretches(video.buffered)))
  on('seeking', () => {
    if (!events.isSwitching()) state.position.value = video.currentTime
  })
  on('seeked', () => {
    state.buffered.value = stretches(video.buffered)
    if (!events.isSwitching()) events.onChange(SEEK_REPORT_MS)
  })
  on('volumechange', () => {
    state.volume.value = video.volume
    state.muted.value = video.muted
  })
  on('ratechange', () => {
    // A new source begins at the normal rate: that is no choice of the person.
    if (!events.isSwitching()) state.rate.value = video.playbackRate
    events.onChange(SEEK_REPORT_MS)
  })
  on('ended', () => {
    if (events.isSwitching()) return
    state.position.value = durationOf(state)
    state.paused.value = true
    events.onEnded()
  })
  return () => stops.abort()
}
