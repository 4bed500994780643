/**
 * Notices when hls.js asks for the same init segment again and again. Each of its attempts aborts the one before, whose failure then
 * aborts the attempt itself (hls.js 1.7.4, `loadInitSegmentIfNeeded`): once an init segment takes longer than the first segment that
 * needs it, as after a seek on a busy server, nothing is ever loaded. Pure.
 */

const MOST = 3
const WITHIN_MS = 1000

export interface InitLoop {
  /** An init segment is asked for. Gives whether that goes round in a circle. */
  asked(this: void, url: string): boolean
}

export function watchInitLoop(now: () => number): InitLoop {
  let asked: { readonly url: string; readonly times: readonly number[] } = { url: '', times: [] }
  return {
    asked(url) {
      const times = (asked.url === url ? asked.times : []).filter((time) => now() - time < WITHIN_MS)
      asked = { url, times: [...times, now()] }
      if (asked.times.length <= MOST) return false
      asked = { url: '', times: [] }
      return true
    },
  }
}
