/** Keys of the pages: `/` searches, G and a letter go to a page, Z undoes. The player has keys of its own. */
import { useEffect } from 'preact/hooks'
import { letterKeys } from '../data/preferences.ts'
import { shortcutOf, type Shortcut } from '../data/shortcuts.ts'
import { PAGES } from '../pages.ts'
import { go } from '../router.ts'
import { undoLast } from './toast.tsx'

const PATHS = PAGES.map(({ path }) => path)
const FIELDS = 'input, textarea, select, [contenteditable], dialog'

/** By the keys' own times: a page that is busy takes them later. */
let waitsSince: number | undefined

export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', take)
    return () => document.removeEventListener('keydown', take)
  }, [])
}

/** In a field, keys are letters. */
export const isTyping = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest(FIELDS) !== null

/** Whether the key goes to a page, because G was pressed before it. */
export const isSecondKey = (event: KeyboardEvent): boolean => meaningOf(event)?.does === 'go'

const meaningOf = (event: KeyboardEvent): Shortcut | undefined =>
  shortcutOf(
    {
      key: event.key,
      isModified: event.ctrlKey || event.metaKey || event.altKey,
      isTyping: isTyping(event),
      waitsSince,
      nowMs: event.timeStamp,
      isOn: letterKeys.value,
    },
    PATHS,
  )

function take(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const shortcut = meaningOf(event)
  waitsSince = shortcut?.does === 'wait' ? event.timeStamp : undefined
  if (!shortcut || shortcut.does === 'wait') return
  if (shortcut.does === 'undo' && !undoLast()) return
  event.preventDefault()
  if (shortcut.does === 'go') go(shortcut.to)
  if (shortcut.does === 'search') search()
}

function search(): void {
  const field = document.querySelector<HTMLElement>('[data-focus="search"]')
  if (field) field.focus()
  else go('/search')
}
