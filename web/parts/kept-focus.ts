/**
 * Keeps the place of the keyboard: if the focused element is removed, such as the button that dismisses a film, its neighbour gets the
 * focus. No fields: a phone would open its keyboard.
 */
import { useEffect } from 'preact/hooks'

export function useKeptFocus(): void {
  useEffect(() => {
    const main = document.getElementById('main')
    if (!main) return undefined
    /** The focused element, those after it, and those before it, the nearest first. */
    let near: readonly HTMLElement[] = []
    const note = ({ target }: FocusEvent): void => {
      const all = [...main.querySelectorAll<HTMLElement>('a[href], button, summary')]
      const place = all.findIndex((one) => one === target)
      near = place < 0 ? [] : [...all.slice(place), ...all.slice(0, place).reverse()]
    }
    const watch = new MutationObserver(() => {
      if (near[0]?.isConnected === false && document.activeElement === document.body) {
        near.find((one) => {
          one.focus({ preventScroll: true })
          return one === document.activeElement
        })
      }
    })
    main.addEventListener('focusin', note)
    watch.observe(main, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [])
}
