/** Connection to EventStoreDB: the driver's client out of a connection string, and what every call over it shares. */
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../../ports/clock.ts'
import type { Leader } from './leader.ts'
import type { Outage } from './outage.ts'
import { catchReconnectFailures } from './reconnecting.ts'

export interface Connection {
  readonly client: EventStoreDBClient
  /** To be given with each append: it is what makes the driver use plain Append (docs/eventstoredb.md). */
  readonly credentials: Credentials
  readonly clock: Clock
  readonly outage: Outage
  readonly leader: Leader
  /** Aborted by `close`, with the error that calls fail with from then on. */
  readonly closing: AbortSignal
  /** Time after which a server that says nothing counts as away. */
  readonly answerMs: number
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * Milliseconds; the address may say otherwise. A server that is gone without a word is noticed after 10 to 15 s instead of 20. A
 * shorter interval makes the driver warn on the console, and shorter patience would take a server that collects garbage for dead.
 * Seconds: a node of a cluster that does not say who leads is passed over after one instead of five.
 */
const DEFAULTS = 'keepAliveInterval=10000&keepAliveTimeout=5000&gossipTimeout=1'
/**
 * Last, so that they hold whatever the address says: an append that fails has to throw, and on another node than the leader of a
 * cluster one would not find what one has just appended.
 */
const FORCED = 'throwOnAppendFailure=true&nodePreference=leader'

/**
 * What the driver takes. Where it meets anything else, it prints the whole address on the console, password included: so it does for a
 * name that it does not know, and for `tlsVerifyCert=false`, which it knows but does not heed.
 */
const TAKEN = new Set(
  'usercertfile userkeyfile maxdiscoverattempts connectionname defaultdeadline discoveryinterval gossiptimeout nodepreference'
    .concat(' tls tlscafile throwonappendfailure keepaliveinterval keepalivetimeout')
    .split(' '),
)

/** @throws Error the connection string cannot be read; its text holds no password */
export function openClient(url: string): EventStoreDBClient {
  const [place, query, ...more] = url.trim().split('?')
  refuseOptions(query?.split('&') ?? [])
  if (more.length > 0) throw new Error('The address of EventStoreDB has more than one question mark')
  const options = [DEFAULTS, ...(query ? [query] : []), FORCED].join('&')
  try {
    return catchReconnectFailures(EventStoreDBClient.connectionString(`${place}?${options}`))
  } catch (error) {
    const why = error instanceof Error && !url.includes('@') ? `: ${error.message}` : ''
    // oxlint-disable-next-line preserve-caught-error -- the driver's error quotes the address
    throw new Error(`The address of EventStoreDB is not one${why}`)
  }
}

/** @throws Error for an option that the driver does not take; its text holds no more than the option's name */
function refuseOptions(options: readonly string[]): void {
  const names = options.filter(Boolean).map((option) => option.split('=', 1).join())
  if (names.some((name) => name.toLowerCase() === 'tlsverifycert')) throw new Error(ALWAYS_VERIFIED)
  const stranger = names.find((name) => !TAKEN.has(name.toLowerCase()))
  if (stranger === undefined) return
  // What is no word may be a part of a password.
  throw new Error(`EventStoreDB knows no option ${/^[a-z]{1,40}$/i.test(stranger) ? stranger : 'of such a name'} of its address`)
}

const ALWAYS_VERIFIED =
  "The client of EventStoreDB always verifies the server's certificate: leave out tlsVerifyCert, and name the file of your own " +
  'authority by tlsCAFile in the address, or by NODE_EXTRA_CA_CERTS'

/** Those of the address; any will do for a server without users. */
export function credentialsOf(url: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/?]+):([^@/?]+)@/.exec(url.trim()) ?? []
  if (!username || !password) return { username: 'marquee', password: 'marquee' }
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}
