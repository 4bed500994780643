/** What this device keeps for itself. A browser may keep nothing: then a choice holds until the page is left. */

/** Null if nothing is kept. */
export function kept(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** @param value null: nothing is kept any more */
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // It holds until the page is left.
  }
}
