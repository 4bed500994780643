/** Shows the controls while they are wanted, and hides them after three seconds of rest. */
import { tv } from '../data/tv.ts'
import type { PlayerState } from './state.ts'

export interface Controls {
  /** The person did something. */
  wake(): void
  hide(): void
  stop(): void
}

const REST_MS = 3000

/** They stay while playback is paused or over, in a menu, and with the focus of a keyboard or a screen reader in them. */
export function mayHide({ paused, menu, over, messages, session }: PlayerState, hasFocus: boolean): boolean {
  return (
    !paused.value &&
    menu.value === undefined &&
    over.value === undefined &&
    messages.value.length === 0 &&
    session.value !== undefined &&
    !hasFocus
  )
}

export function createControls(state: PlayerState, container: () => HTMLElement | null): Controls {
  let timer = 0
  const hasFocus = (): boolean => {
    const focused = document.activeElement
    return focused !== null && focused !== container() && (container()?.contains(focused) ?? false) && focused.matches(':focus-visible')
  }
  const rest = (): void => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      if (!mayHide(state, hasFocus() && !tv.value)) return rest()
      // A remote control always has the focus somewhere: it is given back, since it would not be seen.
      if (tv.value) hide()
      else state.controls.value = false
    }, REST_MS)
  }
  const hide = (): void => {
    clearTimeout(timer)
    state.controls.value = false
    container()?.focus({ preventScroll: true })
  }
  const wake = (): void => {
    state.controls.value = true
    rest()
  }
  const stopPaused = state.paused.subscribe(wake)
  return {
    wake,
    hide,
    stop() {
      clearTimeout(timer)
      stopPaused()
    },
  }
}
