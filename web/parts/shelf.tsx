/** A row of films with a heading, which scrolls sideways. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Cards } from './cards.tsx'
import { Link } from './link.tsx'

export interface ShelfProps {
  readonly title: string
  /** Where all of them are. */
  readonly to?: string
  readonly children: ComponentChildren
}

export function Shelf({ title, to, children }: ShelfProps) {
  const id = useId()
  return (
    <section class="shelf" aria-labelledby={id}>
      <h2 id={id}>{to === undefined ? title : <Link to={to}>{title}</Link>}</h2>
      <Cards isRow>{children}</Cards>
    </section>
  )
}
