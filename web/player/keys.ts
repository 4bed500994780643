/** The keys of the player, as pure data: what a key press means, and the list that `?` shows. */
import type { Key as Phrase } from '../words/words.ts'

export type Action =
  | { readonly type: 'toggle' | 'mute' | 'subtitles' | 'next-subtitle' | 'next-sound' | 'fullscreen' | 'picture' }
  | { readonly type: 'next' | 'undo' | 'help' | 'back' }
  | { readonly type: 'seek-by'; readonly seconds: number }
  | { readonly type: 'seek-share'; readonly share: number }
  | { readonly type: 'volume'; readonly change: number }
  | { readonly type: 'frame'; readonly count: 1 | -1 }
  | { readonly type: 'speed'; readonly steps: 1 | -1 }

export interface Press {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  /** Held down. */
  readonly repeat: boolean
}

/** What has the focus. */
export type Focus = 'nothing' | 'button' | 'slider' | 'field' | 'menu'

const STEP_S = 5
const JUMP_S = 10
const LOUDER = 0.05
const DIGIT = /^\d$/

const BY_KEY: Readonly<Record<string, Action>> = {
  ' ': { type: 'toggle' },
  k: { type: 'toggle' },
  j: { type: 'seek-by', seconds: -JUMP_S },
  l: { type: 'seek-by', seconds: JUMP_S },
  arrowleft: { type: 'seek-by', seconds: -STEP_S },
  arrowright: { type: 'seek-by', seconds: STEP_S },
  arrowup: { type: 'volume', change: LOUDER },
  arrowdown: { type: 'volume', change: -LOUDER },
  m: { type: 'mute' },
  c: { type: 'subtitles' },
  a: { type: 'next-sound' },
  f: { type: 'fullscreen' },
  p: { type: 'picture' },
  n: { type: 'next' },
  z: { type: 'undo' },
  ',': { type: 'frame', count: -1 },
  '.': { type: 'frame', count: 1 },
  '<': { type: 'speed', steps: -1 },
  '>': { type: 'speed', steps: 1 },
  '?': { type: 'help' },
  escape: { type: 'back' },
  // Remote controls of televisions.
  goback: { type: 'back' },
  browserback: { type: 'back' },
  mediaplaypause: { type: 'toggle' },
}

const BY_SHIFT: Readonly<Record<string, Action>> = { c: { type: 'next-subtitle' } }
const WITH_SHIFT: ReadonlySet<string> = new Set(['<', '>', '?', 'c'])
const HELD: ReadonlySet<Action['type']> = new Set(['seek-by', 'volume', 'frame'])
const ARROWS: ReadonlySet<string> = new Set(['arrowleft', 'arrowright', 'arrowup', 'arrowdown'])

/** A letter, a digit or a sign: no key that has a name, and not the space. */
const CHARACTER = /^\S$/u

/** Undefined: the press is not the player's. `hasLetters`: whether characters are keys. */
export function actionOf(press: Press, focus: Focus, hasLetters = true): Action | undefined {
  const key = press.key.toLowerCase()
  if (press.ctrlKey || press.altKey || press.metaKey || (!hasLetters && CHARACTER.test(key))) return undefined
  if (key === 'escape' || key === 'goback' || key === 'browserback') return BY_KEY[key]
  if (focus === 'field' || (focus === 'menu' && (ARROWS.has(key) || key === ' '))) return undefined
  // Space presses the button that has the focus, and arrows move the slider that has it.
  if (key === ' ' && focus === 'button') return undefined
  if (focus === 'slider' && ARROWS.has(key)) return undefined
  if (press.shiftKey && !WITH_SHIFT.has(key)) return undefined
  const action = DIGIT.test(key)
    ? ({ type: 'seek-share', share: Number(key) / 10 } as const)
    : ((press.shiftKey ? BY_SHIFT[key] : undefined) ?? BY_KEY[key])
  return action && press.repeat && !HELD.has(action.type) ? undefined : action
}

/** What Escape and Back do first, of all that could be left. */
export type Escape = 'close-menu' | 'hide-controls' | 'leave-fullscreen' | 'leave-page'

export function escapeOf(is: { readonly menu: boolean; readonly controls: boolean; readonly fullscreen: boolean }): Escape {
  if (is.menu) return 'close-menu'
  if (is.controls) return 'hide-controls'
  return is.fullscreen ? 'leave-fullscreen' : 'leave-page'
}

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export function nextSpeed(rate: number, steps: 1 | -1): number {
  const faster = SPEEDS.filter((speed) => (steps > 0 ? speed > rate : speed < rate))
  return (steps > 0 ? faster[0] : faster[faster.length - 1]) ?? rate
}

/** For the list: keys as they are written, and what they do. */
export const KEY_LIST: readonly (readonly [string, Phrase])[] = [
  ['Space  K', 'player.key.toggle'],
  ['J  L', 'player.key.jump'],
  ['←  →', 'player.key.step'],
  ['↑  ↓', 'player.key.volume'],
  ['M', 'player.key.mute'],
  ['C', 'player.key.subtitles'],
  ['Shift+C', 'player.key.next-subtitle'],
  ['A', 'player.key.next-sound'],
  ['F', 'player.key.fullscreen'],
  ['P', 'player.key.picture'],
  ['0 – 9', 'player.key.share'],
  [',  .', 'player.key.frame'],
  ['<  >', 'player.key.speed'],
  ['N', 'player.key.next'],
  ['Z', 'player.key.undo'],
  ['Esc', 'player.key.back'],
  ['?', 'player.key.help'],
]
