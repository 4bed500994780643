/** Connects to EventStoreDB: makes the driver's client from a connection string, and holds the state that all calls share. */
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../../ports/clock.ts'
import type { Leader } from './leader.ts'
import type { Outage } from './outage.ts'
import { catchReconnectFailures } from './reconnecting.ts'

export interface Connection {
  readonly client: EventStoreDBClient
  /** Passed with each append: this makes the driver use plain Append (docs/eventstoredb.md). */
  readonly credentials: Credentials
  readonly clock: Clock
  readonly outage: Outage
  readonly leader: Leader
  /** Aborted by `close`, with the error that calls fail with from then on. */
  readonly closing: AbortSignal
  /** Timeout after which a silent server counts as unavailable. */
  readonly answerMs: number
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * Milliseconds; the address may override them. A server that vanishes is detected after 10 to 15 s instead of 20. A shorter interval makes
 * the driver warn on the console, and a shorter timeout would declare a server dead during garbage collection. Seconds: a cluster node that
 * does not name the leader is skipped after one instead of five.
 */
const DEFAULTS = 'keepAliveInterval=10000&keepAliveTimeout=5000&gossipTimeout=1'
/**
 * Last, so that they override the address: a failed append must throw, and nodes other than the leader might not yet have an event just
 * appended.
 */
const FORCED = 'throwOnAppendFailure=true&nodePreference=leader'

/**
 * Options that the driver accepts. On any other, it prints the whole address on the console, password included. It does so for unknown
 * names, and for `tlsVerifyCert=false`, which it knows but ignores.
 */
const TAKEN = new Set(
  'usercertfile userkeyfile maxdiscoverattempts connectionname defaultdeadline discoveryinterval gossiptimeout nodepreference'
    .concat(' tls tlscafile throwonappendfailure keepaliveinterval keepalivetimeout')
    .split(' '),
)

/** @throws Error the connection string cannot be parsed; the message contains no password */
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
    throw new Error(`The EventStoreDB address is invalid${why}`)
  }
}

/** @throws Error for an option that the driver does not accept; the message contains at most the option's name */
function refuseOptions(options: readonly string[]): void {
  const names = options.filter(Boolean).map((option) => option.split('=', 1).join())
  if (names.some((name) => name.toLowerCase() === 'tlsverifycert')) throw new Error(ALWAYS_VERIFIED)
  const stranger = names.find((name) => !TAKEN.has(name.toLowerCase()))
  if (stranger === undefined) return
  // Anything but a plain word may be part of a password.
  throw new Error(`The EventStoreDB address has an unknown option${/^[a-z]{1,40}$/i.test(stranger) ? `: ${stranger}` : ''}`)
}

const ALWAYS_VERIFIED =
  "The client of EventStoreDB always verifies the server's certificate: leave out tlsVerifyCert, and name the file of your own " +
  'authority by tlsCAFile in the address, or by NODE_EXTRA_CA_CERTS'

/** The address's credentials; any will do for a server without users. */
export function credentialsOf(url: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/?]+):([^@/?]+)@/.exec(url.trim()) ?? []
  if (!username || !password) return { username: 'marquee', password: 'marquee' }
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}
