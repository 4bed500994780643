/** Draws a long list as a window: its rows follow the page's scrolling. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { firstSeenRow, isSameWindow, offsetFor, rowsIn, type RowAlign, type RowView } from '../data/row-window.ts'
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
  scrollTo(row: number, align: RowAlign): void
}

const coveredPx = (edge: 'scrollPaddingBlockStart' | 'scrollPaddingBlockEnd'): number =>
  Number.parseFloat(getComputedStyle(document.documentElement)[edge]) || 0

export function useWindowRows({ box, rows, rowPx }: RowsOptions): WindowRows {
  const [drawn, draw] = useReducer<number, undefined>((n) => n + 1, 0)
  // Where the entry is about to be scrolled to: its rows are in the first frame.
  const offset = useRef(Number(remembered('scroll') ?? 0))
  const view: RowView = {
    rows,
    rowPx,
    marginPx: box.current === null ? 0 : box.current.getBoundingClientRect().top + scrollY,
    offsetPx: offset.current,
    heightPx: innerHeight,
    coveredStartPx: coveredPx('scrollPaddingBlockStart'),
    coveredEndPx: coveredPx('scrollPaddingBlockEnd'),
    // Rows out of sight can wait for the second time.
    overscan: drawn === 0 ? 0 : OVERSCAN_ROWS,
  }
  const latest = useRef(view)
  latest.current = view
  useLayoutEffect(() => {
    scrollTo({ top: offset.current })
    const follow = (): void => {
      offset.current = scrollY
      if (!isSameWindow(latest.current, { ...latest.current, offsetPx: scrollY, heightPx: innerHeight })) draw(undefined)
    }
    addEventListener('scroll', follow, { passive: true })
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow)
      removeEventListener('resize', follow)
    }
  }, [])
  useEffect(() => draw(undefined), [])
  return {
    shown: rowsIn(view),
    seenRow: firstSeenRow(view),
    scrollTo: (row, align) => scrollTo({ top: offsetFor({ ...latest.current, offsetPx: scrollY, heightPx: innerHeight }, row, align) }),
  }
}
