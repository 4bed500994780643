/** The screen: fullscreen of the player's container, picture in picture, and a screen that stays on. All of it where the browser has it. */
import type { PlayerState } from './state.ts'

interface WebkitVideo extends HTMLVideoElement {
  webkitEnterFullscreen?(): void
}

interface Keyboard {
  lock?(keys: readonly string[]): Promise<void>
  unlock?(): void
}

const keyboard = (): Keyboard | undefined => Reflect.get(navigator, 'keyboard') as Keyboard | undefined
const quietly = (run: () => Promise<unknown> | undefined): void => void run()?.catch(() => undefined)

export const supportsPictureInPicture = (): boolean => document.pictureInPictureEnabled

export interface Screen {
  toggleFullscreen(): void
  leaveFullscreen(): void
  togglePictureInPicture(): void
  stop(staysFull: boolean): void
}

/** The container holds the video, subtitles, controls and messages, so that all of them are seen in fullscreen. */
export function followScreen(video: HTMLVideoElement, container: () => HTMLElement | null, state: PlayerState): Screen {
  const stops = new AbortController()
  const { signal } = stops
  document.addEventListener('fullscreenchange', () => void (state.fullscreen.value = document.fullscreenElement !== null), { signal })
  video.addEventListener('enterpictureinpicture', () => void (state.pictureInPicture.value = true), { signal })
  video.addEventListener('leavepictureinpicture', () => void (state.pictureInPicture.value = false), { signal })
  const stopLock = keepScreenOn(state)
  state.fullscreen.value = document.fullscreenElement !== null

  const leaveFullscreen = (): void => {
    keyboard()?.unlock?.()
    quietly(() => document.exitFullscreen())
  }

  return {
    leaveFullscreen,
    toggleFullscreen() {
      if (document.fullscreenElement) return leaveFullscreen()
      const element = container()
      if (element && document.fullscreenEnabled) {
        quietly(() => element.requestFullscreen())
        // So that Escape closes a menu first, where browsers let pages have it.
        quietly(() => keyboard()?.lock?.(['Escape']))
      } else {
        ;(video as WebkitVideo).webkitEnterFullscreen?.()
      }
    },
    togglePictureInPicture() {
      if (!supportsPictureInPicture()) return
      quietly(() => (document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture()))
    },
    stop(staysFull) {
      stops.abort()
      stopLock()
      if (document.fullscreenElement && !staysFull) quietly(() => document.exitFullscreen())
      if (document.pictureInPictureElement === video) quietly(() => document.exitPictureInPicture())
    },
  }
}

/** Browsers take the lock away when the page is hidden: it is requested again when the page is visible. */
function keepScreenOn({ paused }: PlayerState): () => void {
  let lock: WakeLockSentinel | undefined
  const release = (): void => {
    const held = lock
    lock = undefined
    quietly(() => held?.release())
  }
  const ask = async (): Promise<void> => {
    if (!('wakeLock' in navigator) || document.hidden || paused.value || lock) return
    try {
      lock = await navigator.wakeLock.request('screen')
      lock.addEventListener('release', () => void (lock = undefined))
    } catch {
      // A device low on power refuses it.
    }
    if (paused.value) release()
  }
  const onVisible = (): void => void ask()
  document.addEventListener('visibilitychange', onVisible)
  const stop = paused.subscribe((isPaused) => (isPaused ? release() : void ask()))
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    stop()
    release()
  }
}
