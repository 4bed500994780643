/** Draws a long list as a window: its rows follow the page's scrolling. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { boundsIn, firstSeenRow, isSameWindow, offsetFor, rowsIn, type RowAlign, type RowView } from '../data/row-window.ts'
import { remembered } from '../router.ts'

const OVERSCAN_ROWS = 2

export interface RowsOptions {
  readonly box: { readonly current: HTMLElement | null }
  readonly rows: number
  readonly rowPx: number
}

export interface WindowRows {
  /** Numbers of the rows to draw. */
  readonly shown: readonly number[]
  readonly seenRow: number
  isInWindow(row: number): boolean
  /** As it is now. @param measures where the list lies, which forces a layout */
  view(measures?: boolean): RowView
  scrollTo(row: number, align: RowAlign): void
}

type Place = Pick<RowView, 'marginPx' | 'coveredStartPx' | 'coveredEndPx'>

/** Where the list lies in the page. It forces a layout, so that it is not asked at each scroll. */
function placeOf(box: HTMLElement): Place {
  const { scrollPaddingBlockStart, scrollPaddingBlockEnd } = getComputedStyle(document.documentElement)
  return {
    marginPx: box.getBoundingClientRect().top + scrollY,
    coveredStartPx: Number.parseFloat(scrollPaddingBlockStart) || 0,
    coveredEndPx: Number.parseFloat(scrollPaddingBlockEnd) || 0,
  }
}

export function useWindowRows({ box, rows, rowPx }: RowsOptions): WindowRows {
  const [drawn, draw] = useReducer<number, undefined>((n) => n + 1, 0)
  // Where the entry is about to be scrolled to: its rows are in the first frame.
  const offset = useRef(Number(remembered('scroll') ?? 0))
  const place = useRef<Place>({ marginPx: 0, coveredStartPx: 0, coveredEndPx: 0 })
  const view: RowView = {
    rows,
    rowPx,
    ...place.current,
    offsetPx: offset.current,
    heightPx: innerHeight,
    // Rows out of sight can wait for the second time.
    overscan: drawn === 0 ? 0 : OVERSCAN_ROWS,
  }
  const latest = useRef(view)
  latest.current = view
  const now = (): RowView => ({ ...latest.current, ...place.current, offsetPx: scrollY, heightPx: innerHeight })
  useLayoutEffect(() => {
    scrollTo({ top: offset.current })
    const follow = (): void => {
      offset.current = scrollY
      if (!isSameWindow(latest.current, now())) draw(undefined)
    }
    // The page grows and shrinks with what is above the list.
    const observer = new ResizeObserver(() => {
      if (box.current) place.current = placeOf(box.current)
      follow()
    })
    observer.observe(document.body)
    addEventListener('scroll', follow, { passive: true })
    addEventListener('resize', follow)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', follow)
      removeEventListener('resize', follow)
    }
  }, [box])
  useEffect(() => draw(undefined), [])
  const { first, end } = boundsIn({ ...view, overscan: 0 })
  return {
    shown: rowsIn(view),
    isInWindow: (row) => row >= first && row < end,
    seenRow: firstSeenRow(view),
    view(measures) {
      // Events of the first frame come before it was measured.
      if ((measures || place.current.marginPx === 0) && box.current) place.current = placeOf(box.current)
      return now()
    },
    scrollTo: (row, align) => scrollTo({ top: offsetFor(now(), row, align) }),
  }
}
