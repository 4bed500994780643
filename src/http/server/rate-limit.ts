/**
 * Limits the rate of requests per minute: for each user, over all logins and nodes, or for each address if nobody is signed in. Requests that
 * end logins and access tokens use a budget of their login instead: a leaked token must not keep its owner from revoking it. The port
 * `Counters` keeps the budgets.
 */
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Budget, Counters, Spent } from '../../ports/counters.ts'
import type { App } from './app.ts'
import { tooMany } from './errors.ts'
import { networkOf } from './network.ts'

const WINDOW_MS = 60_000

/** Counts the request and sets the headers with the remaining budget. @throws HttpError 429 if none is left */
export type Limiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Requests a minute, by budget. */
export type Budgets = Readonly<Record<BudgetName, number>>
type BudgetName = 'default' | 'speedtest' | 'logins'

export async function createLimiter(app: App, counters: Counters, budgets: Budgets): Promise<Limiter> {
  const store = storeOver(counters)
  await app.register(rateLimit, { global: false, store })
  const spendingOf = (name: BudgetName, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max: budgets[name], timeWindow: WINDOW_MS, keyGenerator })
  const spend = {
    default: spendingOf('default', keyOf),
    speedtest: spendingOf('speedtest', (request) => `speedtest.${keyOf(request)}`),
    logins: spendingOf('logins', ({ caller }) => `logins.${caller?.loginId}`),
  }
  return async (request, reply) => {
    const name = budgetOf(request)
    if (!name) return
    const spent = await spend[name](request)
    if (spent.isAllowed) return
    const seconds = Math.max(1, spent.ttlInSeconds)
    reply.headers({
      'ratelimit-policy': `"${name}";q=${budgets[name]};w=${WINDOW_MS / 1000}`,
      ratelimit: `"${name}";r=${spent.remaining};t=${seconds}`,
    })
    if (spent.isExceeded) throw tooMany('Too many requests', seconds)
  }
}

/** Undefined: unlimited. Callers who are not signed in always use the general budget. */
function budgetOf({ caller, method, routeOptions }: FastifyRequest): BudgetName | undefined {
  const { budget = 'default' } = routeOptions.config
  if (!caller) return 'default'
  return budget === 'speedtest' && method === 'HEAD' ? undefined : budget
}

/** A user has one budget, over all logins. */
function keyOf(request: FastifyRequest): string {
  if (request.caller) return `requests.user.${request.caller.userId}`
  return `requests.address.${networkOf(request)}`
}

type Counted = Parameters<FastifyRateLimitStore['incr']>[1]

/** The plugin's store, backed by the port. The plugin requires a class. */
function storeOver(counters: Counters) {
  return class CountersStore implements FastifyRateLimitStore {
    incr(key: string, counted: Counted, windowMs: number, max: number): void {
      void spendOne(counters, { key, windowMs, max }, counted)
    }
    child(): FastifyRateLimitStore {
      return this
    }
  }
}

interface Spending extends Budget {
  readonly key: string
}

async function spendOne(counters: Counters, { key, windowMs, max }: Spending, counted: Counted): Promise<void> {
  let spent: Spent
  try {
    spent = await counters.spend(key, { max, windowMs })
  } catch (cause) {
    counted(cause instanceof Error ? cause : new Error('Counting failed', { cause }))
    return
  }
  const { allowed, remaining, retryAfterMs, resetAfterMs } = spent
  counted(null, allowed ? { current: max - remaining, ttl: resetAfterMs } : { current: max + 1, ttl: retryAfterMs })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The budget of users' requests; HEAD never uses that of the speed test. `logins`: ends logins or tokens, or lists them for that; each
     * login has its own. Default: the general budget.
     */
    budget?: 'speedtest' | 'logins'
  }
}
