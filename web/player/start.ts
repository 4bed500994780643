/** Starts sessions: asks the server until it answers, and says why there is none. */
import { isPassing, type Problem } from '../api/problems.ts'
import { ownCapabilities } from './capabilities.ts'
import { backOffMs, type Session } from './engine.ts'
import { ownStreams, startSession, type NewSession } from './requests.ts'
import type { Over, PlayerState } from './state.ts'

export interface Wish {
  readonly movieId: string
  readonly fileId?: string
  readonly startPosition?: number
  readonly quality?: string
  readonly audioIndex?: number
  readonly subtitleIndex?: number | undefined
  readonly burnSubtitle?: boolean | undefined
}

const SECOND_MS = 1000

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** The film is shorter than it was when the link was made. */
const isPastEnd = ({ status, fields }: Problem): boolean => status === 422 && fields['startPosition'] !== undefined

/** Undefined if it was aborted, or nothing can be played: then `over` says why. */
export async function startPatiently(wish: Wish, state: PlayerState, signal: AbortSignal): Promise<Session | undefined> {
  const { startPosition, ...rest } = wish
  const anywhere = { ...rest, capabilities: await ownCapabilities(), client: { name: 'Marquee Web', device: deviceName() } } as NewSession
  let body = startPosition === undefined ? anywhere : { ...anywhere, startPosition }
  for (let failures = 0; !signal.aborted; failures += 1) {
    const answer = await startSession(body)
    if (answer.ok) {
      state.away.value = undefined
      return answer.value
    }
    const { problem } = answer
    if (isPastEnd(problem) && body !== anywhere) {
      body = anywhere
      continue
    }
    if (!isPassing(problem)) {
      state.over.value = await overBy(problem)
      return undefined
    }
    const seconds = problem.retryAfterSeconds
    state.away.value = problem.status === 429 ? { because: 'too-many', seconds: seconds ?? 60 } : { because: 'offline' }
    await wait(seconds === undefined ? backOffMs(failures) : seconds * SECOND_MS, signal)
  }
  return undefined
}

/** What a refusal means to the person. */
export async function overBy({ status, message }: Problem): Promise<Over> {
  if (status === 409) return { type: 'limit', streams: await ownStreams() }
  return status === 404 || status === 403 ? { type: 'gone' } : { type: 'failed', message }
}

const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'CrOS', 'Web0S', 'Tizen', 'Linux']
const BROWSERS = ['Firefox', 'Edg', 'Chrome', 'Safari']
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', Macintosh: 'Mac', Web0S: 'webOS', CrOS: 'ChromeOS' }

/** "Chrome on Linux": lists of streams show it. */
export function deviceName(agent = navigator.userAgent): string {
  const find = (names: readonly string[]): string => names.find((name) => agent.includes(name)) ?? ''
  const words = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== '').map((name) => NAMES[name] ?? name)
  return words.length > 0 ? words.join(' on ') : 'Browser'
}
