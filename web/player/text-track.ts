/** Subtitles as the browser times them: a track that it never draws, whose cues the player draws itself. */

export interface Timed {
  readonly url: string
  readonly language: string | null
}

export interface TrackEvents {
  readonly onCues: (cues: readonly VTTCue[]) => void
  readonly onError: () => void
}

/** Gives what takes it away again. */
export function followTrack(video: HTMLVideoElement, { url, language }: Timed, { onCues, onError }: TrackEvents): () => void {
  const element = document.createElement('track')
  element.kind = 'subtitles'
  element.srclang = language ?? 'und'
  element.src = url
  element.addEventListener('error', onError)
  const show = (): void => onCues(Array.from(element.track.activeCues ?? []).filter((cue): cue is VTTCue => cue instanceof VTTCue))
  element.track.addEventListener('cuechange', show)
  video.append(element)
  // Hidden tracks are loaded and timed, and not drawn.
  element.track.mode = 'hidden'
  return () => {
    element.track.mode = 'disabled'
    element.remove()
    onCues([])
  }
}
