/**
 * Where the player lives: an element of its own beside the pages, so that it can go on as a bar below another page while its video is
 * in a window of its own. There is one player at a time.
 */
import { computed, type ReadonlySignal } from '@preact/signals-core'
import { render } from 'preact'
import { letterKeys } from '../data/preferences.ts'
import { go, goBack, openLayer } from '../router.ts'
import { say } from '../words/words.ts'
import { openMenu, perform } from './actions.ts'
import { loadHls } from './hls-engine.ts'
import { actionOf, type Focus } from './keys.ts'
import { createPlayer, type Player, type PlayerOptions } from './player.ts'
import { View } from './view.tsx'
import '../words/en-player.ts'

/** Made by the build. */
declare const PLAYER_STYLE: string

interface Open {
  readonly player: Player
  readonly host: HTMLElement
  readonly stop: () => void
}

let open: Open | undefined

export type Opening = Pick<PlayerOptions, 'movieId' | 'fileId' | 'at'>

export function openPlayer({ movieId, fileId, at }: Opening): void {
  if (open?.player.movieId === movieId && fileId === undefined) {
    if (at !== undefined) open.player.seek(at)
    show(open, false)
    return
  }
  closePlayer()
  const host = element()
  const player = createPlayer({ movieId, fileId, at, container: () => host, onLeave: () => leave(movieId), onNext: goOn })
  const stopTitle = player.state.movie.subscribe((movie) => {
    if (movie && !player.state.isBar.value) document.title = `${movie.title} · ${say('app.name')}`
  })
  const onKey = (event: KeyboardEvent): void => takeKey(player, event)
  document.addEventListener('keydown', onKey)
  const stopPictureInPicture = player.state.pictureInPicture.subscribe((isOut) => {
    // Its window was closed while another page is shown: there is no video any more.
    if (!isOut && player.state.isBar.value) closePlayer()
  })
  const stopLayers = layScreens(player)
  open = { player, host, stop: () => (document.removeEventListener('keydown', onKey), stopTitle(), stopPictureInPicture(), stopLayers()) }
  whenStyled(() => void (host.hidden = false))
  render(<View player={player} onClose={closePlayer} />, host)
  show(open, false)
}

/** Back closes a menu, then leaves fullscreen, then the page. Menus that follow one another are one layer. */
function layScreens(player: Player): () => void {
  const { menu, fullscreen } = player.state
  const stopFullscreen = layOver(fullscreen, () => player.screen.leaveFullscreen())
  const stopMenus = layOver(
    computed(() => menu.value !== undefined),
    () => openMenu(player, undefined),
  )
  return () => (stopMenus(), stopFullscreen())
}

/** A layer while the signal is true. */
function layOver(isOpen: ReadonlySignal<boolean>, closeIt: () => void): () => void {
  let close: (() => void) | undefined
  const stop = isOpen.subscribe((isOpen) => {
    if (isOpen) close = openLayer(closeIt)
    else close?.()
  })
  return () => (stop(), close?.())
}

/** The page is left: the player ends, unless its video is in a window of its own. */
export function leavePlayer(): void {
  if (!open) return
  if (open.player.state.pictureInPicture.value && !isGoingOn) show(open, true)
  else closePlayer()
}

/** Another film takes the place of this one, in the same element: it stays in fullscreen. */
let isGoingOn = false
let kept: HTMLElement | undefined

function goOn(movieId: string): void {
  isGoingOn = true
  go(`/watch/${movieId}`, { replace: true })
}

function element(): HTMLElement {
  isGoingOn = false
  const host = kept ?? document.createElement('div')
  kept = undefined
  host.id = 'player'
  host.tabIndex = -1
  if (!host.isConnected) {
    host.hidden = true
    document.body.append(host)
  }
  return host
}

function closePlayer(): void {
  if (!open) return
  const { player, host, stop } = open
  open = undefined
  stop()
  player.destroy(isGoingOn)
  render(null, host)
  if (isGoingOn) kept = host
  else host.remove()
  document.documentElement.classList.remove('watching')
}

function show({ player }: Open, asBar: boolean): void {
  player.state.isBar.value = asBar
  document.documentElement.classList.toggle('watching', !asBar)
}

const entryPath = (): string => new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href).pathname

/** Back to where the person came from; a page that was opened by its address has nothing before it. */
function leave(movieId: string): void {
  if (history.length > 1 && entryPath() !== location.pathname) goBack()
  else go(`/films/${movieId}`, { replace: true })
}

/** Loads what a player needs before somebody plays a film: then the click on "Play" waits for the film only. */
export function preparePlayer(): void {
  styleSheet()
  // Playing tries again.
  loadHls().catch(() => undefined)
}

let style: HTMLLinkElement | undefined

function styleSheet(): HTMLLinkElement {
  if (style) return style
  style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = PLAYER_STYLE
  document.head.append(style)
  return style
}

function whenStyled(run: () => void): void {
  const link = styleSheet()
  if (link.sheet) return run()
  link.addEventListener('load', run, { once: true })
  link.addEventListener('error', run, { once: true })
}

function takeKey(player: Player, event: KeyboardEvent): void {
  if (player.state.isBar.value || event.defaultPrevented) return
  const action = actionOf(event, focusOf(document.activeElement), letterKeys.value)
  if (!action) return
  event.preventDefault()
  perform(player, action)
}

export function focusOf(element: Element | null): Focus {
  if (!element || element === document.body) return 'nothing'
  if (element.getAttribute('role') === 'slider' || element.matches('input[type="range"]')) return 'slider'
  if (element.matches('select, textarea, input:not([type="checkbox"], [type="radio"])')) return 'field'
  if (element.closest('[role="menu"]')) return 'menu'
  return element.matches('button, a, input, summary') ? 'button' : 'nothing'
}
