/** Keys that work on every page but the player's: what each means. Pure. */

export type Shortcut =
  | { readonly does: 'search' }
  | { readonly does: 'undo' }
  /** G: the next key says where to. */
  | { readonly does: 'wait' }
  | { readonly does: 'go'; readonly to: string }

/** Keys after G. */
export const PLACES_BY_KEY: Readonly<Record<string, string>> = {
  h: '/',
  f: '/films',
  w: '/watchlist',
  c: '/collections',
  n: '/now',
  s: '/settings',
}

/** How long the key after G is waited for. */
export const SECOND_KEY_MS = 1500

export interface Pressed {
  readonly key: string
  /** Held with it: such keys are the browser's. */
  readonly isModified: boolean
  /** In a field, where keys are letters. */
  readonly isTyping: boolean
  /** When G was pressed before; undefined: it was not. */
  readonly waitsSince: number | undefined
  readonly nowMs: number
  /** Whether the person wants such keys. */
  readonly isOn: boolean
}

/** Undefined: the key is not one of these. `paths`: pages that there are. */
export function shortcutOf(
  { key, isModified, isTyping, waitsSince, nowMs, isOn }: Pressed,
  paths: readonly string[],
): Shortcut | undefined {
  if (!isOn || isModified || isTyping) return undefined
  const letter = key.toLowerCase()
  if (waitsSince !== undefined && nowMs - waitsSince < SECOND_KEY_MS) {
    const to = PLACES_BY_KEY[letter]
    if (to !== undefined && paths.includes(to)) return { does: 'go', to }
  }
  if (key === '/') return { does: 'search' }
  if (letter === 'z') return { does: 'undo' }
  return letter === 'g' ? { does: 'wait' } : undefined
}
