/** The system's media controls: title, poster, keys of keyboards and headphones, and where the film stands. */
import type { Movie } from '../data/queries.ts'

const SIZES = [160, 320, 480]

export interface MediaActions {
  readonly play: () => void
  readonly pause: () => void
  readonly seekBy: (seconds: number) => void
  readonly seekTo: (position: number) => void
  readonly stop: () => void
  readonly next: () => void
}

const JUMP_S = 10

export type Artwork = { readonly src: string; readonly sizes: string; readonly type: string }

/** Posters are two wide and three high. */
export const artworkOf = ({ images }: Pick<Movie, 'images'>): readonly Artwork[] =>
  images.poster === null
    ? []
    : SIZES.map((width) => ({ src: `${images.poster}?w=${width}&format=jpeg&v=1`, sizes: `${width}x${width * 1.5}`, type: 'image/jpeg' }))

export interface MediaControls {
  show(movie: Movie, hasNext: boolean): void
  place(position: { readonly position: number; readonly duration: number; readonly rate: number }, isPaused: boolean): void
  stop(): void
}

const NAMES: readonly MediaSessionAction[] = ['play', 'pause', 'seekbackward', 'seekforward', 'seekto', 'stop', 'nexttrack']

export function controlMedia(actions: MediaActions, session: MediaSession | undefined = navigator.mediaSession): MediaControls {
  const handle = (name: MediaSessionAction, run: MediaSessionActionHandler | null): void => {
    try {
      session?.setActionHandler(name, run)
    } catch {
      // A browser that does not know the action.
    }
  }
  handle('play', () => actions.play())
  handle('pause', () => actions.pause())
  handle('seekbackward', ({ seekOffset }) => actions.seekBy(-(seekOffset ?? JUMP_S)))
  handle('seekforward', ({ seekOffset }) => actions.seekBy(seekOffset ?? JUMP_S))
  handle('seekto', ({ seekTime }) => seekTime !== undefined && actions.seekTo(seekTime))
  handle('stop', () => actions.stop())

  return {
    show(movie, hasNext) {
      handle('nexttrack', hasNext ? () => actions.next() : null)
      if (!session) return
      session.metadata = new MediaMetadata({
        title: movie.title,
        artist: movie.year === null ? '' : String(movie.year),
        artwork: artworkOf(movie).map((one) => ({ ...one, src: new URL(one.src, location.href).href })),
      })
    },
    place({ position, duration, rate }, isPaused) {
      if (!session) return
      session.playbackState = isPaused ? 'paused' : 'playing'
      if (duration > 0 && position <= duration) session.setPositionState({ duration, position, playbackRate: rate })
    },
    stop() {
      for (const name of NAMES) handle(name, null)
      if (!session) return
      session.metadata = null
      session.playbackState = 'none'
    },
  }
}
