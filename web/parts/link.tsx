/** A link within the client: it changes the page without a reload, unless the person wants it in another tab. */
import type { ComponentChildren, JSX } from 'preact'
import { go } from '../router.ts'

type Anchor = Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'>

export interface LinkProps extends Anchor {
  readonly to: string
  readonly children?: ComponentChildren
  readonly replace?: boolean
  /** Before it goes. */
  readonly onGo?: () => void
}

export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

export function Link({ to, children, replace = false, onGo, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onGo?.()
        go(to, { replace })
      }}
    >
      {children}
    </a>
  )
}
