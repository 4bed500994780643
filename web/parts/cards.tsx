/** Cards in a grid or in a row that scrolls sideways: arrow keys move between them. */
import type { ComponentChildren } from 'preact'
import { placeByKey, type Box } from '../data/places.ts'

export interface CardsProps {
  /** A row of its own, which scrolls sideways. */
  readonly isRow?: boolean
  readonly children: ComponentChildren
}

export function Cards({ isRow = false, children }: CardsProps) {
  return (
    <div class={isRow ? 'cards-row' : 'cards'} onKeyDown={moveByArrow}>
      {children}
    </div>
  )
}

const boxOf = (element: Element): Box => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2, height }
}

function moveByArrow(event: KeyboardEvent): void {
  const { currentTarget, target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(currentTarget instanceof HTMLElement)) return
  const links = [...currentTarget.querySelectorAll<HTMLElement>('.card > a')]
  const index = links.findIndex((link) => link === target)
  const next = index === -1 ? undefined : placeByKey(key, { boxes: links.map(boxOf), index })
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
