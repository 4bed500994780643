/** Calls one service of the provider: with rate limiting, retries of temporary faults, and a circuit breaker while it does not answer. */
import { OnlineAway } from '../../ports/online-metadata.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createExchange, type ExchangeOptions, type ExchangeResult, type Request } from './exchange.ts'
import { createThrottle, QUIET_MAX_MS } from './throttle.ts'

export type Answer = Extract<ExchangeResult, { readonly type: 'answer' }>

/** @throws OnlineAway; the signal's reason */
export type Calls = (request: Request, signal: AbortSignal) => Promise<Answer>

/** Pauses between the attempts, of which there is one more. */
const PAUSES_MS = [500, 2_000]
/** Pause for a busy server that does not state one. */
const BUSY_MS = 2_000

export function createCalls(options: ExchangeOptions): Calls {
  const { clock } = options
  const exchange = createExchange(options)
  const [pace, breaker] = [createThrottle(clock), createCircuitBreaker(clock)]

  async function exchangeInTurn(request: Request, signal: AbortSignal): Promise<ExchangeResult> {
    breaker.check()
    const outcome = await exchange(request, signal)
    if (outcome.type === 'fault') breaker.failed()
    else breaker.worked()
    if (outcome.type === 'busy') pace.hold(outcome.waitMs ?? BUSY_MS)
    return outcome
  }

  return async (request, signal) => {
    for (let tries = 0; ; tries++) {
      breaker.check()
      const outcome = await pace.turn(() => exchangeInTurn(request, signal), signal)
      if (outcome.type === 'answer') return outcome
      const pauseMs = PAUSES_MS[tries]
      if (pauseMs === undefined || !mayPass(outcome)) throw awayFor(request, outcome)
      // All callers wait together for a busy server.
      if (outcome.type === 'fault') await clock.sleep(pauseMs, signal)
    }
  }
}

const mayPass = (outcome: Exclude<ExchangeResult, Answer>): boolean =>
  outcome.type === 'busy' ? (outcome.waitMs ?? BUSY_MS) <= QUIET_MAX_MS : outcome.isPassing

function awayFor({ url }: Request, outcome: Exclude<ExchangeResult, Answer>): OnlineAway {
  if (outcome.type === 'busy') return new OnlineAway(`${url.host} has had enough calls`, { retryAfterMs: outcome.waitMs ?? BUSY_MS })
  return new OnlineAway(`${url.host} ${outcome.message}`)
}
