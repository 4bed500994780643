/** A panel over the video: a menu that arrows move in, or a dialog. It takes the focus, and gives it back. */
import { Check, ChevronLeft, ChevronRight, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { say } from '../words/words.ts'

export interface PanelProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  /** To the menu that this one belongs to. */
  readonly onBack?: () => void
}

/** Focuses what is chosen, else the first that can be, and returns the focus to where it was. */
function useFocus<E extends HTMLElement>() {
  const panel = useRef<E>(null)
  useEffect(() => {
    const before = document.activeElement
    const inside = panel.current
    const first =
      inside?.querySelector<HTMLElement>('[aria-checked="true"]') ?? inside?.querySelector<HTMLElement>('.body :is(button, select, input)')
    ;(first ?? inside)?.focus({ preventScroll: false })
    return () => {
      const isOurs =
        document.activeElement === document.body || document.activeElement === null || (inside?.contains(document.activeElement) ?? false)
      if (isOurs && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return panel
}

function Head({ title, onClose, onBack }: Omit<PanelProps, 'children'>) {
  return (
    <div class="head">
      {onBack && (
        <button type="button" class="icon small" aria-label={say('player.back')} onClick={onBack}>
          <Icon of={ChevronLeft} />
        </button>
      )}
      <h2>{title}</h2>
      <button type="button" class="icon small" aria-label={say('app.close')} onClick={onClose}>
        <Icon of={X} />
      </button>
    </div>
  )
}

export function Dialog({ children, ...head }: PanelProps) {
  const panel = useFocus<HTMLDialogElement>()
  return (
    <dialog open class="panel" aria-label={head.title} tabIndex={-1} ref={panel}>
      <Head {...head} />
      <div class="body">{children}</div>
    </dialog>
  )
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export function Menu({ children, ...head }: PanelProps) {
  const panel = useFocus<HTMLDivElement>()
  const key = (event: KeyboardEvent): void => {
    const items = [...(panel.current?.querySelectorAll<HTMLElement>('.item') ?? [])]
    const to = MOVES[event.key]?.(items.indexOf(document.activeElement as HTMLElement), items.length)
    if (event.key === 'ArrowLeft' && head.onBack) head.onBack()
    else if (to === undefined) return
    event.preventDefault()
    if (to !== undefined) items[to]?.focus()
  }
  return (
    <div class="panel" ref={panel}>
      <Head {...head} />
      <div class="body" role="menu" tabIndex={-1} aria-label={head.title} onKeyDown={key}>
        {children}
      </div>
    </div>
  )
}

interface ItemProps {
  readonly label: string
  readonly detail?: string | undefined
  readonly onClick: () => void
}

/** One of several, of which one is chosen. */
export function Choice({ label, detail, isChosen, onClick }: ItemProps & { readonly isChosen: boolean }) {
  return (
    <button type="button" class="item" role="menuitemradio" aria-checked={isChosen} onClick={onClick}>
      <span class="mark">{isChosen && <Icon of={Check} size={18} />}</span>
      <span class="label">
        {label}
        {detail !== undefined && detail !== '' && <span class="detail">{detail}</span>}
      </span>
    </button>
  )
}

/** Leads to another panel. `detail`: what is chosen there. */
export function Leads({ label, detail, onClick }: ItemProps) {
  return (
    <button type="button" class="item" role="menuitem" aria-haspopup="true" onClick={onClick}>
      <span class="label">{label}</span>
      {detail !== undefined && <span class="detail">{detail}</span>}
      <Icon of={ChevronRight} size={18} />
    </button>
  )
}
