/** Icons: hidden from assistive technology, since buttons have words. A page imports those that it shows from `lucide`. */
import type { IconNode } from 'lucide'
import { h } from 'preact'

export interface IconProps {
  readonly of: IconNode
  readonly size?: number
}

export function Icon({ of, size = 20 }: IconProps) {
  return (
    <svg
      class="lucide"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
