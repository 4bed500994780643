/**
 * Remote controls: arrows move the focus by place, Enter opens, Back goes back, and the focus is always on something that can be seen.
 * Loaded on televisions only.
 */
import { ARROWS, nearestOn, nearestTo, type Arrow, type Edges } from '../data/spatial.ts'
import { go, goBack } from '../router.ts'

const FOCUSABLE = [
  'a[href]',
  'button:not(:disabled)',
  'input:not(:disabled, [type="hidden"])',
  'select:not(:disabled)',
  'textarea:not(:disabled)',
  'summary',
  '[tabindex="0"]',
].join(', ')
/** What is opened first, the best first. */
const FIRST = [
  '.door input',
  '.primary:not(form *)',
  '.card > a',
  '.settings-part :is(a, select, input[type="radio"], button:not(form *))',
  'nav [aria-current]',
  'main :not(.filters *)',
]
const FIRST_IN_PLAYER = ['.over .primary', '.over button', '.letter button', '.filled']
/** These have values that arrows change, once Enter has opened them. */
const CHOOSERS = 'select, input[type="date"]'
const TEXTS = 'textarea, input:not([type="checkbox"], [type="radio"], [type="range"], [type="date"])'
const TEXT_BLOCKS = 'h2, h3, p, dl > *, li, tr, pre'
const BACK_KEYS: ReadonlySet<string> = new Set(['GoBack', 'BrowserBack', 'XF86Back', 'Escape'])
/** webOS and Tizen have no names for it. */
const BACK_CODES: ReadonlySet<number> = new Set([461, 10009])
/** Of the window, when there is nothing more on that side but text. */
const SCROLL_SHARE = 0.6

type Focusable = HTMLElement | SVGElement

interface State {
  /** Where the focus was last. */
  edges: Edges | undefined
  path: string
  /** The chooser whose value the arrows change. */
  editing: Element | undefined
  /** The field in which something was typed: left and right move its caret. */
  typed: EventTarget | null
  /** What got the focus because nothing had it: it goes on to what is opened first, if that comes later. */
  given: Element | undefined
  isDue: boolean
}

export function startSpatial(): () => void {
  const state: State = { edges: undefined, path: '', editing: undefined, typed: null, given: undefined, isDue: false }
  const controller = new AbortController()
  const { signal } = controller
  addEventListener('keydown', (event) => takeFirst(state, event), { capture: true, signal })
  addEventListener('keydown', (event) => takeLast(state, event), { signal })
  addEventListener('input', ({ target }) => void (state.typed = target), { signal })
  addEventListener('focusin', () => follow(state), { signal })
  addEventListener('focusout', () => ensureSoon(state), { signal })
  const observer = new MutationObserver(() => ensureSoon(state))
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'open'] })
  ensureSoon(state)
  return () => (controller.abort(), observer.disconnect())
}

/** What the focus may move in: the dialog or the panel that lies over everything, else the player, else the page. */
function scope(): Element {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const player = isWatching() ? document.querySelector('#player') : null
  return dialog ?? player?.querySelector('.panel') ?? player ?? document.body
}

const isWatching = (): boolean => document.documentElement.classList.contains('watching')

/** A film is played, and nothing of the player has the focus. */
const isOutside = (at: Element): boolean => isWatching() && (at.id === 'player' || at.closest('#player') === null)

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden'
}

const canFocus = (element: Element): element is Focusable =>
  (element as Focusable).tabIndex >= 0 && element.closest('[inert], [aria-hidden="true"], .skip') === null && isVisible(element)

const candidates = (root: Element): readonly Focusable[] => [...root.querySelectorAll(FOCUSABLE)].filter(canFocus)

const isInWindow = ({ left, right, top, bottom }: Edges): boolean => right > 0 && left < innerWidth && bottom > 0 && top < innerHeight

/** The rail stays where it is while the page moves: up and down never lead from one to the other. */
const regionOf = (element: Element): Element | null => element.closest('.bar')

function focus(element: Focusable): void {
  if (element.matches('.plot-mark')) element.setAttribute('tabindex', '0')
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function move(key: Arrow): void {
  const at = document.activeElement
  if (!at || isNowhere(at) || isOutside(at)) return void focusFirst()
  const over = besides(at, key)
  if (over) return focus(over)
  const marks = at.matches('.plot-mark') ? [...(at.closest('svg')?.querySelectorAll<SVGElement>('.plot-mark') ?? [])] : []
  if (moveAmong(key, at, marks)) return
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight'
  const all = candidates(scope()).filter((one) => one !== at && !marks.includes(one as SVGElement))
  const fitting = all.filter((one) => (isAcross ? isInWindow(one.getBoundingClientRect()) : regionOf(one) === regionOf(at)))
  if (moveAmong(key, at, fitting) || isAcross || moveAmong(key, at, textsBeyond(key))) return
  scrollBy({ top: (key === 'ArrowDown' ? 1 : -1) * innerHeight * SCROLL_SHARE })
}

/** Texts that are not seen yet, where nothing more can be opened: they get the focus to be read. */
function textsBeyond(key: Arrow): readonly HTMLElement[] {
  const root = scope()
  const all = [...root.querySelectorAll<HTMLElement>(root === document.body ? `main :is(${TEXT_BLOCKS})` : TEXT_BLOCKS)]
  const beyond = all.filter((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return isVisible(one) && (root !== document.body || (key === 'ArrowDown' ? bottom > innerHeight : top < 0))
  })
  for (const one of beyond) if (one.getAttribute('tabindex') === null) one.tabIndex = -1
  return beyond
}

/** The cross of a card lies on it: it is above, although by its place it is not. */
function besides(at: Element, key: Arrow): Focusable | undefined {
  if (key === 'ArrowUp' && at.matches('.card > a')) return at.parentElement?.querySelector<HTMLElement>('.dismiss') ?? undefined
  if (key === 'ArrowDown' && at.matches('.dismiss')) return at.closest('.card')?.querySelector('a') ?? undefined
  return undefined
}

function moveAmong(key: Arrow, at: Element, all: readonly Focusable[]): boolean {
  const others = all.filter((one) => one !== at)
  const index = nearestOn(
    key,
    at.getBoundingClientRect(),
    others.map((one) => one.getBoundingClientRect()),
  )
  const next = index === undefined ? undefined : others[index]
  if (next) focus(next)
  return next !== undefined
}

/** The body, or a heading that only the page itself has given the focus. */
const isNowhere = (at: Element): boolean => at === document.body || at.matches('h1, #main, #player') || !at.isConnected || !isVisible(at)

function firstOf(root: Element): Focusable | undefined {
  const main = root === document.body ? document.querySelector('main') : null
  const inside = main ? candidates(main) : []
  const all = inside.length > 0 ? inside : candidates(root)
  const names = root.id === 'player' ? FIRST_IN_PLAYER : FIRST
  return names.map((name) => all.find((one) => one.matches(name))).find((one) => one !== undefined) ?? all[0]
}

function focusFirst(): Element | undefined {
  const first = firstOf(scope())
  if (first) focus(first)
  return first
}

const isArrow = (key: string): key is Arrow => ARROWS.some((arrow) => arrow === key)

/** Before the page's own keys: where its arrows would change values or never lead out. */
function takeFirst(state: State, event: KeyboardEvent): void {
  const { key } = event
  state.given = undefined
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const at = document.activeElement ?? document.body
  if (state.editing === at) return edit(state, event)
  if (BACK_KEYS.has(key) || BACK_CODES.has(event.keyCode)) return back(event)
  const isTaken = key === 'Enter' ? enter(state, at) : isArrow(key) && isOurs(at, key)
  if (!isTaken) return
  event.preventDefault()
  event.stopPropagation()
  if (isArrow(key)) move(key)
}

/** After the page's own keys: what they had no use for. */
function takeLast(state: State, event: KeyboardEvent): void {
  if (event.defaultPrevented || !isArrow(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const at = document.activeElement
  if (at && (at === state.editing || keepsArrow(state, at, event.key))) return
  event.preventDefault()
  move(event.key)
}

const isAcrossKey = (key: Arrow): boolean => key === 'ArrowLeft' || key === 'ArrowRight'

function isOurs(at: Element, key: Arrow): boolean {
  if (at.matches('[role="slider"], input[type="range"]')) return !isAcrossKey(key)
  if (at.closest('[role="menu"]')) return false
  if (isOutside(at)) return !isAcrossKey(key)
  if (at.closest('#player')) return true
  if (at.matches('.row .card > a')) return isAcrossKey(key)
  return at.matches(`.plot-mark, input[type="radio"], ${CHOOSERS}`)
}

/** The caret moves within a text that is being typed; the film moves while nothing of the player has the focus. */
function keepsArrow({ typed }: State, at: Element, key: Arrow): boolean {
  if (!isAcrossKey(key)) return false
  if (isOutside(at) || at.matches('[role="slider"], input[type="range"]')) return true
  if (at !== typed || !at.matches(TEXTS)) return false
  // Browsers do not expose where the caret of a number or of an address is.
  const { selectionStart, selectionEnd, value } = at as HTMLInputElement
  const edge = key === 'ArrowLeft' ? 0 : value.length
  return selectionStart !== null && !(selectionStart === edge && selectionEnd === edge)
}

/** What Enter does not do by itself. */
function enter(state: State, at: Element): boolean {
  if (at.matches('input[type="checkbox"], input[type="radio"]')) (at as HTMLElement).click()
  else if (at.matches(CHOOSERS)) startEditing(state, at)
  else if (isOutside(at)) (focusFirst() as HTMLElement | undefined)?.click()
  else return false
  return true
}

function startEditing(state: State, at: Element): void {
  state.editing = at
  at.setAttribute('data-editing', '')
}

/** Arrows are the chooser's, until Enter or Back. */
function edit(state: State, event: KeyboardEvent): void {
  if (event.key !== 'Enter' && !BACK_KEYS.has(event.key) && !BACK_CODES.has(event.keyCode)) return
  event.preventDefault()
  event.stopPropagation()
  stopEditing(state)
}

function stopEditing(state: State): void {
  state.editing?.removeAttribute('data-editing')
  state.editing = undefined
}

/** Dialogs close, and the player has an order of its own; a page goes back. On the first page the key is the television's. */
function back(event: KeyboardEvent): void {
  const isOver = document.querySelector('dialog[open]') !== null
  const isFirst = !isOver && location.pathname === '/'
  if (isWatching() || isFirst || (isOver && event.key === 'Escape')) return
  event.preventDefault()
  event.stopPropagation()
  if (isOver) history.back()
  else if (history.length > 1) goBack()
  else go('/')
}

function follow(state: State): void {
  const at = document.activeElement
  if (state.editing && state.editing !== at) stopEditing(state)
  if (state.typed !== at) state.typed = null
  if (!at || isNowhere(at)) return ensureSoon(state)
  state.edges = at.getBoundingClientRect()
  state.path = location.pathname
}

function ensureSoon(state: State): void {
  if (state.isDue) return
  state.isDue = true
  setTimeout(() => {
    state.isDue = false
    ensure(state)
  })
}

/** What had the focus is gone, or a page has come: something that can be seen gets it. */
function ensure(state: State): void {
  const at = document.activeElement
  const within = scope()
  const { edges, path, given } = state
  if (at && at === given && firstOf(within) !== at) return void (state.given = focusFirst())
  // Dialogs and panels take the focus themselves, and give it back.
  if (at && !isNowhere(at)) return
  // While a film is played, nothing but what stands over it asks for the focus.
  const isPlayer = within.id === 'player'
  if (isPlayer && within.querySelector('.over, .letter') === null) return
  if (isPlayer || !edges || path !== location.pathname) return void (state.given = focusFirst())
  const all = candidates(within)
  const index = nearestTo(
    edges,
    all.map((one) => one.getBoundingClientRect()),
  )
  const next = index === undefined ? undefined : all[index]
  if (next) focus(next)
}
