/** The one heading of a page. It takes the focus when the page is shown, so that a screen reader begins there. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { say } from '../words/words.ts'

export interface TitleProps {
  readonly class?: string
  /** Also the title of the window, if what the page is about has a name of its own. */
  readonly named?: string
  readonly children?: ComponentChildren
}

export function Title({ class: kind, named, children }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // A heading that comes after the page, with its answer: whoever has gone on meanwhile keeps the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  useLayoutEffect(() => {
    if (named !== undefined) document.title = `${named} · ${say('app.name')}`
  }, [named])
  return (
    <h1 ref={heading} class={kind} tabIndex={-1}>
      {children ?? named}
    </h1>
  )
}
