/** The browser's own HLS, where there are no Media Source Extensions (iPhones before iOS 17.1). It chooses the quality by itself. */
import type { Choice, Engine, EngineOptions } from './engine.ts'

interface Track {
  enabled: boolean
}

interface WithAudioTracks {
  readonly audioTracks?: ArrayLike<Track> & EventTarget
}

/** `?token=`: AirPlay receivers have no cookie. */
export const masterWithToken = ({ session }: Pick<EngineOptions, 'session'>): string =>
  `${session.masterPlaylistUrl}?token=${encodeURIComponent(session.streamToken)}`

export function playNative(options: EngineOptions): Engine {
  const { video, at, onFailure, onQuality } = options
  const stops = new AbortController()
  const { signal } = stops
  let wanted = options.choice

  function applyAudio(): void {
    const tracks = Array.from((video as WithAudioTracks).audioTracks ?? [])
    const { audio } = wanted
    if (audio !== undefined && tracks[audio]) for (const [index, track] of tracks.entries()) track.enabled = index === audio
  }

  video.addEventListener(
    'loadedmetadata',
    () => {
      if (at > 0) video.currentTime = at
      applyAudio()
    },
    { signal },
  )
  video.addEventListener('error', () => onFailure({ type: 'broken', detail: video.error?.message ?? '' }), { signal })
  video.src = masterWithToken(options)
  video.load()
  onQuality(undefined)

  return {
    kind: 'native',
    choose(choice: Choice) {
      wanted = choice
      applyAudio()
      return true
    },
    frameRate: () => undefined,
    bandwidth: () => undefined,
    destroy() {
      stops.abort()
      video.removeAttribute('src')
      video.load()
    },
  }
}
