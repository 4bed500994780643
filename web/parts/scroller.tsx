/** Something wider or taller than its place: it scrolls within itself, also by keyboard. */
import type { ComponentChildren } from 'preact'

export interface ScrollerProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

export function Scroller({ label, class: kind, children }: ScrollerProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus the arrow keys cannot scroll it
    <div class={kind} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
