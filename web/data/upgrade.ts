/**
 * Upgrades: a page that was loaded before the server got a new build continues as it is, and the next navigation reloads it. At most
 * once a minute, so that a build that cannot be loaded does not make pages load for ever, and never while something plays.
 */

const LEAST_MS = 60_000
const KEPT_AS = 'loaded-anew'

let isOld = false

/** Code of this build is no longer available, or the server has announced another build. */
export function markOld(): void {
  isOld = true
}

/** What the server's build is, as it announces it; null: it has none. */
export function noteBuild(build: string | null | undefined): void {
  const own = globalThis.document?.documentElement.dataset['build']
  if (typeof build === 'string' && own !== undefined && build !== own) markOld()
}

export interface UpgradeState {
  readonly isOld: boolean
  readonly isPlaying: boolean
  readonly nowMs: number
  /** When this tab was last reloaded because of an upgrade; 0: never. */
  readonly lastMs: number
}

/** Pure. */
export const mayLoadAnew = ({ isOld, isPlaying, nowMs, lastMs }: UpgradeState): boolean => isOld && !isPlaying && nowMs - lastMs >= LEAST_MS

/** Whether the page should be reloaded now. If so, the time counts as used: the caller has to load. */
export function takesUpgrade(): boolean {
  const nowMs = Date.now()
  if (!mayLoadAnew({ isOld, isPlaying: isPlaying(), nowMs, lastMs: readLast() })) return false
  try {
    sessionStorage.setItem(KEPT_AS, String(nowMs))
    return true
  } catch {
    // Without a memory of the last time pages might be loaded again and again.
    return false
  }
}

const isPlaying = (): boolean => [...document.querySelectorAll('video')].some(({ paused, ended }) => !paused && !ended)

function readLast(): number {
  try {
    return Number(sessionStorage.getItem(KEPT_AS) ?? 0)
  } catch {
    return Date.now()
  }
}
