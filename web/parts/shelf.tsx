/** A row of films with a heading, which scrolls sideways: by touch, by keyboard along its films, and by two buttons for a mouse. */
import { ChevronLeft, ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Cards } from './cards.tsx'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

export interface ShelfProps {
  readonly title: string
  /** Where all of them are. */
  readonly to?: string
  /** For wide images. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

export function Shelf({ title, to, isWide = false, children }: ShelfProps) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const overflows = useOverflow(section)
  return (
    <section ref={section} class={isWide ? 'shelf wide' : 'shelf'} aria-labelledby={id}>
      <div class="shelf-head">
        <h2 id={id}>
          {to === undefined ? (
            title
          ) : (
            <Link to={to}>
              {title}
              <span class="turns">
                <Icon of={ChevronRight} size={18} />
              </span>
            </Link>
          )}
        </h2>
        {overflows && <Turn of={section} by={-1} />}
        {overflows && <Turn of={section} by={1} />}
      </div>
      <Cards isRow>{children}</Cards>
    </section>
  )
}

interface Section {
  readonly current: HTMLElement | null
}

const rowOf = ({ current }: Section): HTMLElement | null => current?.querySelector<HTMLElement>('.cards-row') ?? null
const SHARE = 0.85

/** For a mouse without a wheel that turns sideways. Every film can be reached without it, so others need not hear of it. */
function Turn({ of, by }: { readonly of: Section; readonly by: 1 | -1 }) {
  const turn = (): void => {
    const row = rowOf(of)
    if (!row) return
    const { direction } = getComputedStyle(row)
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    row.scrollBy({ left: by * row.clientWidth * SHARE * (direction === 'rtl' ? -1 : 1), behavior })
  }
  return (
    <button type="button" class="round quiet" tabIndex={-1} aria-hidden="true" onClick={turn}>
      <span class="turns">
        <Icon of={by === 1 ? ChevronRight : ChevronLeft} />
      </span>
    </button>
  )
}

function useOverflow(section: Section): boolean {
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const row = rowOf(section)
    if (!row) return undefined
    const observer = new ResizeObserver(() => setOverflows(row.scrollWidth > row.clientWidth + 1))
    observer.observe(row)
    return () => observer.disconnect()
  }, [section])
  return overflows
}
