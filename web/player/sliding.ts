/** Sliding along the film: the video follows when the slider is released, or has rested for a moment. */

export interface Timers {
  set(run: () => void, ms: number): unknown
  clear(timer: unknown): void
}

export interface Sliding {
  /** Follows the pointer or the keys; seeks after a rest. */
  move(position: number): void
  /** Seeks at once, if it has moved. */
  release(): void
  /** Forgets where it was moved to. */
  cancel(): void
}

const REST_MS = 300

/** `onMove`: what to show; undefined when the slider shows the position of the film again. */
export function createSliding(seek: (position: number) => void, onMove: (position: number | undefined) => void, timers: Timers): Sliding {
  const state: { timer: unknown; wanted: number | undefined } = { timer: undefined, wanted: undefined }
  const arrive = (): void => {
    timers.clear(state.timer)
    if (state.wanted !== undefined) seek(state.wanted)
    state.wanted = undefined
  }
  return {
    move(position) {
      state.wanted = position
      onMove(position)
      timers.clear(state.timer)
      state.timer = timers.set(arrive, REST_MS)
    },
    release() {
      arrive()
      onMove(undefined)
    },
    cancel() {
      timers.clear(state.timer)
      state.wanted = undefined
      onMove(undefined)
    },
  }
}

const STEP_S = 5
const PAGE_S = 60

/** Where a key moves the slider to; undefined if it is none of its keys. */
export function slideTo(key: string, position: number, duration: number): number | undefined {
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: position - STEP_S,
    ArrowDown: position - STEP_S,
    ArrowRight: position + STEP_S,
    ArrowUp: position + STEP_S,
    PageDown: position - PAGE_S,
    PageUp: position + PAGE_S,
    Home: 0,
    End: duration,
  }
  const wanted = to[key]
  return wanted === undefined ? undefined : Math.min(duration, Math.max(0, wanted))
}
