/**
 * Moving between pages, and what each entry of the history remembers: scroll position, focused element and whatever a page keeps for
 * it. Going back shows the page as it was left; so does a reload, since the memory lies in the history's own state.
 */
import { navigate } from 'wouter-preact/use-browser-location'

/** Small and plain: it is stored with the history entry. */
type Memory = Record<string, unknown>

interface EntryState {
  readonly key: string
  readonly memory: Memory
}

let current: EntryState = { key: newKey(), memory: {} }
let listening = false

function newKey(): string {
  return Math.random().toString(36).slice(2)
}

function stateOf(state: unknown): EntryState | undefined {
  const { key, memory } = Object(state) as Partial<EntryState>
  return typeof key === 'string' && typeof memory === 'object' ? { key, memory } : undefined
}

/** Called once, before the first page is drawn. */
export function startRouter(): void {
  if (listening) return
  listening = true
  history.scrollRestoration = 'manual'
  current = stateOf(history.state) ?? current
  history.replaceState(current, '')
  addEventListener('popstate', ({ state }) => {
    current = stateOf(state) ?? { key: newKey(), memory: {} }
  })
  addEventListener('scroll', rememberScroll, { passive: true })
  addEventListener('focusin', rememberFocus)
  addEventListener('pagehide', store)
}

/** The memory is written into the entry when it is left: writing at each scroll would be refused by browsers. */
function store(): void {
  history.replaceState(current, '')
}

function rememberScroll(): void {
  current.memory['scroll'] = scrollY
}

/** An element that focus can return to names itself: `data-focus`. */
function rememberFocus({ target }: FocusEvent): void {
  const name = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-focus]')?.dataset['focus'] : undefined
  if (name !== undefined) current.memory['focus'] = name
}

export interface Going {
  /** Takes the place of this entry, whose memory goes on. */
  readonly replace?: boolean
}

/** Goes to a path with its query. */
export function go(to: string, { replace = false }: Going = {}): void {
  if (!replace) store()
  const state: EntryState = replace ? current : { key: newKey(), memory: {} }
  current = state
  navigate(to, { replace, state })
}

/** Identifies the entry of the history that is shown. */
export const entryKey = (): string => current.key

/** What the entry remembers under the name. */
export const remembered = (name: string): unknown => current.memory[name]

export function remember(name: string, value: unknown): void {
  current.memory[name] = value
}

const RESTORE_MS = 3000

/**
 * Brings back scroll position and focus of the entry, as soon as the page is tall enough: a page that is drawn from the cache is at once.
 * Gives up when the person scrolls, or after three seconds. A new entry begins at the top, with the focus on its heading.
 */
export function restoreEntry(): void {
  const { scroll, focus } = current.memory
  const key = current.key
  if (typeof scroll !== 'number' && typeof focus !== 'string') {
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    return
  }
  const wanted = typeof scroll === 'number' ? scroll : 0
  const until = performance.now() + RESTORE_MS
  let given = false
  const giveUp = (): void => void (given = true)
  for (const name of ['wheel', 'touchstart', 'keydown']) addEventListener(name, giveUp, { once: true, passive: true })
  const attempt = (): void => {
    if (given || key !== current.key) return
    scrollTo(0, wanted)
    const target = typeof focus === 'string' ? document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focus)}"]`) : undefined
    target?.focus({ preventScroll: true })
    const isDone = Math.abs(scrollY - wanted) < 2 && target !== null
    if (!isDone && performance.now() < until) requestAnimationFrame(attempt)
  }
  attempt()
}

/** The query of the address with some values changed; `undefined` takes a name away. Lists are repeated. */
export function withQuery(search: string, changes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    for (const each of value === undefined ? [] : [value].flat()) query.append(name, each)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
