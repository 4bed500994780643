/** Marks of plots: links to the rows that they count. A plot is one stop for Tab; the arrows go from mark to mark. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isPlainClick } from '../parts/link.tsx'
import { go } from '../router.ts'

export interface MarkProps {
  readonly to: string
  /** What it counts, and how much. */
  readonly label: string
  readonly children: ComponentChildren
}

export function Mark({ to, label, children }: MarkProps) {
  return (
    <a
      href={to}
      class="plot-mark"
      tabindex={-1}
      aria-label={label}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        go(to)
      }}
    >
      <title>{label}</title>
      {children}
    </a>
  )
}

export interface PlotProps {
  readonly label: string
  readonly width: number
  readonly height: number
  /** Marks in a row, if up and down go from row to row. */
  readonly columns?: number
  readonly children: ComponentChildren
}

/** How far each key goes; with columns, up and down go a row. */
const movesOf = (columns: number): Readonly<Record<string, number>> => ({
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: columns,
  ArrowUp: -columns,
  Home: -Infinity,
  End: Infinity,
})

/** The chart itself. */
export function Plot({ label, width, height, columns = 1, children }: PlotProps) {
  const chart = useRef<SVGSVGElement>(null)
  const marks = (): readonly SVGElement[] => [...(chart.current?.querySelectorAll<SVGElement>('.plot-mark') ?? [])]
  // One of them can be reached by Tab; which one it is changes with the focus, without another drawing.
  useLayoutEffect(() => {
    const all = marks()
    if (!all.some((mark) => mark.getAttribute('tabindex') === '0')) all[0]?.setAttribute('tabindex', '0')
  })
  const move = (event: KeyboardEvent): void => {
    const all = marks()
    const now = all.findIndex((mark) => mark === document.activeElement)
    const by = movesOf(columns)[event.key]
    if (by === undefined || now < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = now + by
    const target =
      Math.abs(by) === columns && columns > 1 && (next < 0 || next >= all.length) ? now : Math.max(0, Math.min(all.length - 1, next))
    all[now]?.setAttribute('tabindex', '-1')
    all[target]?.setAttribute('tabindex', '0')
    all[target]?.focus()
  }
  return (
    <svg
      ref={chart}
      class="chart"
      role="group"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onKeyDown={move}
    >
      {children}
    </svg>
  )
}

/** Width of the element in pixels; 0 until it is measured. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const measure = (): void => setWidth(Math.floor(current.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}
