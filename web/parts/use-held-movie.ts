/**
 * Keeps a film of a long list in its place in the window: when the window is turned, when the list changes, and when somebody comes back to
 * the list after either. It is the film with the focus, or the first one that is seen.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { firstSeenRow, isRowSeen, offsetFor } from '../data/row-window.ts'
import { isRestored, remember, remembered } from '../router.ts'
import type { ListWindow } from './use-list-window.ts'
import type { WindowRows } from './use-window-rows.ts'

interface Held {
  /** Of the list. */
  readonly key: string
  readonly index: number
  /** Undefined until its page is there. */
  readonly id: string | undefined
  /** From the upper edge of the window to that of its row. */
  readonly topPx: number
  readonly columns: number
  readonly rowPx: number
  readonly hasFocus: boolean
}

export interface HoldOptions {
  readonly list: ListWindow
  readonly columns: number
  readonly total: number
  readonly view: WindowRows['view']
  /** False while the columns are a guess. */
  readonly isMeasured: boolean
  /** Index of the film that has the focus. */
  readonly focused: () => number | undefined
  readonly focus: (id: string) => void
}

const MEMORY = 'held'
/** Browsers round where they scroll to. */
const NEAR_PX = 2

export function useHeldMovie(options: HoldOptions): void {
  const { list, columns, isMeasured } = options
  const latest = useRef(options)
  latest.current = options
  const held = useRef(remembered(MEMORY) as Held | undefined)
  /** Where the page was scrolled to from here: that is no wish of the person. */
  const ownPx = useRef(-1)
  const keep = (next: Held): void => {
    held.current = next
    remember(MEMORY, next)
  }

  const place = (before: Held, wanted: number): void => {
    const { columns, total, view, focus } = latest.current
    const now = view(true)
    const index = Math.min(total - 1, wanted)
    const row = Math.floor(index / columns)
    scrollTo({ top: offsetFor({ ...now, offsetPx: now.marginPx + row * now.rowPx - before.topPx }, row, 'nearest') })
    ownPx.current = scrollY
    remember('scroll', scrollY)
    keep({ ...before, index, columns, rowPx: now.rowPx })
    if (before.hasFocus && before.id !== undefined) focus(before.id)
  }

  useEffect(() => {
    const hold = (): void => {
      if (!isRestored() || Math.abs(scrollY - ownPx.current) < NEAR_PX) return
      const { list, columns, view, focused } = latest.current
      const now = view()
      const index = focused()
      const hasFocus = index !== undefined && isRowSeen(now, Math.floor(index / columns))
      const row = hasFocus ? Math.floor(index / columns) : firstSeenRow(now)
      const at = hasFocus ? index : row * columns
      const topPx = now.marginPx + row * now.rowPx - now.offsetPx
      keep({ key: list.key, index: at, id: list.movieAt(at)?.id, topPx, columns, rowPx: now.rowPx, hasFocus })
    }
    addEventListener('scroll', hold, { passive: true })
    addEventListener('focusin', hold)
    return () => {
      removeEventListener('scroll', hold)
      removeEventListener('focusin', hold)
    }
  }, [])

  useLayoutEffect(() => {
    const before = held.current
    if (!before || before.key !== list.key || !isMeasured) return
    const there = list.movieAt(before.index)?.id
    const { id = there } = before
    if (before.columns !== columns || before.rowPx !== latest.current.view().rowPx) place(before, before.index)
    // The beginning of a list stays its beginning.
    if (id === there || id === undefined || there === undefined || before.index < columns) {
      if (id !== before.id) keep({ ...before, id })
      return
    }
    // It is looked for once: if it is not found, the film that is there is held.
    const lost = { ...before, id: there }
    keep(lost)
    void list.find(id, before.index).then((index) => index !== undefined && held.current === lost && place({ ...lost, id }, index))
  })
}
