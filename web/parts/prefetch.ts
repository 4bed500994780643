/** Asks for the details of a film a moment before its page is opened: when a button is pressed on its card, or the focus rests on it. */
import { movieQuery } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'

/** Going through cards with the keyboard, or scrolling with a finger, asks for nothing. */
const REST_MS = 100

let timer: ReturnType<typeof setTimeout> | undefined

const fetchSoon = (id: string, ms: number): void => {
  clearTimeout(timer)
  // Nobody waits for it: if it fails, the page asks again.
  timer = setTimeout(() => void queryClient.prefetchQuery({ ...movieQuery(id), retry: false }), ms)
}

export const stopPrefetch = (): void => clearTimeout(timer)

/** Attributes of the element that leads to a film. */
export const prefetching = (id: string) => ({
  onPointerDown: ({ pointerType, button }: PointerEvent): void => {
    if (button === 0) fetchSoon(id, pointerType === 'touch' ? REST_MS : 0)
  },
  onPointerCancel: stopPrefetch,
  onFocus: ({ currentTarget }: FocusEvent): void => {
    // Focus that a pointer brought is the pointer's business.
    if (currentTarget instanceof HTMLElement && currentTarget.matches(':focus-visible')) fetchSoon(id, REST_MS)
  },
  onBlur: stopPrefetch,
})
