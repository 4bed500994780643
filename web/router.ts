/**
 * Moving between pages, and what each entry of the history remembers: scroll position, focused element and whatever a page keeps for
 * it. Going back shows the page as it was left; so does a reload, since the memory lies in the history's own state.
 */
import { signal } from '@preact/signals-core'
import { navigate } from 'wouter-preact/use-browser-location'
import { takesUpgrade } from './data/upgrade.ts'

/** Small and plain: it is stored with the history entry. */
type Memory = Record<string, unknown>

interface EntryState {
  readonly key: string
  readonly memory: Memory
}

const newEntry = (): EntryState => ({ key: Math.random().toString(36).slice(2), memory: {} })

let current = newEntry()
let listening = false
/** Scrolling counts once the entry is restored: before that it is the browser's, as the page gets shorter or longer. */
let isSettled = false
/** Identifies the entry of the history that is shown. */
export const entryKey = signal(current.key)

/** Memories of entries that were left by going back: the browser lets only the entry that is shown be written. */
const left = new Map<string, Memory>()
const MOST_LEFT = 50

function leave(): void {
  if (isSettled) current.memory['sees-focus'] = isInView(document.activeElement)
  left.delete(current.key)
  left.set(current.key, current.memory)
  for (const key of [...left.keys()].slice(0, -MOST_LEFT)) left.delete(key)
}

function isInView(element: Element | null): boolean {
  if (!element || element === document.body) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

function enter({ key, memory }: EntryState): void {
  current = { key, memory: left.get(key) ?? memory }
  isSettled = false
  entryKey.value = key
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
  enter(stateOf(history.state) ?? current)
  history.replaceState({ ...current, layer: layerOf(history.state) }, '')
  // Before the pages' own listener, which draws the page.
  addEventListener('popstate', ({ state }) => {
    if (takeLayer(state)) return
    leave()
    enter(stateOf(state) ?? newEntry())
    if (takesUpgrade()) location.reload()
  })
  // The page was reloaded while a dialog was open.
  if (layerOf(history.state) !== undefined) goBackQuietly(1)
  addEventListener('scroll', rememberScroll, { passive: true })
  addEventListener('focusin', rememberFocus)
  addEventListener('pagehide', () => store(layers.at(-1)))
}

/** The memory is written into the entry when it is left: writing at each scroll would be refused by browsers. */
function store(top: Layer | undefined): void {
  leave()
  history.replaceState({ ...current, layer: top?.id }, '')
}

function rememberScroll(): void {
  if (isSettled) current.memory['scroll'] = scrollY
}

/** An element that focus can return to names itself: `data-focus`. */
function rememberFocus({ target }: FocusEvent): void {
  const name = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-focus]')?.dataset['focus'] : undefined
  if (isSettled) current.memory['focus'] = name
}

export interface Going {
  /** Takes the place of this entry, whose memory goes on. */
  readonly replace?: boolean
}

/** Goes to a path with its query. */
export function go(to: string, { replace = false }: Going = {}): void {
  if (quietSteps.length > 0) return afterQuietSteps(() => go(to, { replace }))
  if (layers.length > 0) return goFromLayers(to, replace)
  if (!replace) store(undefined)
  if (takesUpgrade()) {
    if (replace) location.replace(to)
    else location.assign(to)
    return
  }
  if (!replace) enter(newEntry())
  navigate(to, { replace, state: current })
}

/** A menu or a dialog over the page: Back closes it, and stays on the page. */
interface Layer {
  readonly id: string
  readonly close: () => void
}

/** Each has an entry of the history of its own, with the memory of its page. The topmost is last. */
let layers: readonly Layer[] = []
/** Our own steps back that are under way, and what follows each: their events are not the person's. */
const quietSteps: (() => void)[][] = []

const layerOf = (state: unknown): unknown => Reflect.get(Object(state), 'layer')

function goBackQuietly(entries: number, ...after: (() => void)[]): void {
  quietSteps.push(after)
  history.go(-entries)
}

/** A step back that is under way would go past an entry that is pushed meanwhile. */
function afterQuietSteps(run: () => void): void {
  const last = quietSteps.at(-1)
  if (last) last.push(run)
  else run()
}

/** Whether a step in the history was about a layer, not about a page. */
function takeLayer(state: unknown): boolean {
  const after = quietSteps.shift()
  if (after) {
    for (const run of after) run()
    return true
  }
  const top = layers.at(-1)
  layers = layers.slice(0, -1)
  top?.close()
  // The entry of a layer that is closed: forward to it, or back to one that was closed under another.
  const id = layerOf(state)
  if (id !== undefined && layers.at(-1)?.id !== id) goBackQuietly(1)
  return top !== undefined || id !== undefined
}

/** Call it when something opens that Back should close. Gives what to call when it closes in another way. */
export function openLayer(close: () => void): () => void {
  const layer: Layer = { id: Math.random().toString(36).slice(2), close }
  layers = [...layers, layer]
  afterQuietSteps(() => pushEntry(layer))
  return () => {
    if (!layers.includes(layer)) return
    layers = layers.filter((one) => one !== layer)
    // If the page was left meanwhile, its entry is another page's.
    if (layerOf(history.state) === layer.id) goBackQuietly(1)
  }
}

function pushEntry(layer: Layer): void {
  const at = layers.indexOf(layer)
  // It has been closed meanwhile.
  if (at === -1) return
  store(layers[at - 1])
  history.pushState({ ...current, layer: layer.id }, '')
}

/** Back to the page before, whatever lies over this one. */
export function goBack(): void {
  const entries = layers.length + 1
  layers = []
  history.go(-entries)
}

/** The new page takes the place of the layer's entry, or of the page's own. */
function goFromLayers(to: string, replace: boolean): void {
  const entries = layers.length
  layers = []
  if (replace) return goBackQuietly(entries, () => go(to, { replace }))
  if (entries > 1) return goBackQuietly(entries, () => go(to))
  leave()
  if (takesUpgrade()) return location.replace(to)
  enter(newEntry())
  navigate(to, { replace: true, state: current })
}

/** What the entry remembers under the name. */
export const remembered = (name: string): unknown => current.memory[name]

export function remember(name: string, value: unknown): void {
  current.memory[name] = value
}

/** Whether the entry is as it was left: what happens from here on is the person's wish. */
export const isRestored = (): boolean => isSettled

const RESTORE_MS = 3000

/**
 * Brings back scroll position and focus of the entry, as soon as the page is tall enough: a page that is drawn from the cache is at once.
 * Gives up when the person scrolls, or after three seconds. A new entry begins at the top, with the focus on its heading.
 */
export function restoreEntry(): void {
  const { scroll, 'sees-focus': sees } = current.memory
  const focus = sees === false ? undefined : current.memory['focus']
  if (typeof scroll !== 'number' && typeof focus !== 'string') {
    isSettled = true
    scrollTo(0, 0)
    focusHeading()
    return
  }
  const { key } = current
  const until = performance.now() + RESTORE_MS
  const controller = new AbortController()
  const settle = (): void => {
    controller.abort()
    if (key === current.key) isSettled = true
  }
  for (const name of ['wheel', 'pointerdown', 'keydown']) addEventListener(name, settle, { passive: true, signal: controller.signal })
  const attempt = (): void => {
    if (controller.signal.aborted) return
    if (key !== current.key) return settle()
    // A list may find that its film is elsewhere by now.
    const wanted = Number(current.memory['scroll'] ?? 0)
    scrollTo(0, wanted)
    const isThere = focusRemembered(focus) && Math.abs(scrollY - wanted) < 2
    if (!isThere && performance.now() < until) return void requestAnimationFrame(attempt)
    if (document.activeElement === document.body) focusHeading()
    else if (isThere && typeof focus === 'string') showFocused()
    settle()
  }
  attempt()
}

const focusHeading = (): void => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })

/** True if it has the focus, or if none was remembered. */
function focusRemembered(name: unknown): boolean {
  if (typeof name !== 'string') return true
  const target = document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`)
  target?.focus({ preventScroll: true })
  return target !== null
}

/** A list that has changed meanwhile has the same film elsewhere. */
function showFocused(): void {
  const { activeElement } = document
  if (!isInView(activeElement)) activeElement?.scrollIntoView({ block: 'center' })
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
