/** Icons: hidden from assistive technology, since buttons have words. A page imports those that it shows from `lucide-preact`. */
import type { LucideIcon } from 'lucide-preact'

export interface IconProps {
  readonly of: LucideIcon
  readonly size?: number
}

export function Icon({ of: Of, size = 20 }: IconProps) {
  return <Of size={size} aria-hidden="true" focusable="false" />
}
