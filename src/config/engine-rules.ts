/** Checks rules over several settings: which engines processes must share, and which settings they then must have in common. */
import { isIP } from 'node:net'
import { isShared, SERVERS, type EngineName } from './engine-addresses.ts'
import type { HostAndPort, ProcessRole } from './addresses.ts'
import { brokenSendfile, type SendfileSettings } from './sendfile.ts'

/** The settings that the rules check. */
export interface EngineSettings extends SendfileSettings {
  readonly eventLog: string
  readonly readStore: string
  readonly vault: string
  readonly bus: string
  readonly roles: readonly ProcessRole[]
  readonly secret: string | undefined
  readonly metrics?: HostAndPort | undefined
  readonly metricsToken?: string | undefined
  readonly oidcIssuer?: string | undefined
  readonly oidcClientId?: string | undefined
}

export interface BrokenRule {
  readonly name: string
  readonly message: string
}

const SETTING: Readonly<Record<EngineName, string>> = {
  eventLog: 'MARQUEE_EVENT_LOG',
  readStore: 'MARQUEE_READ_STORE',
  vault: 'MARQUEE_VAULT',
  bus: 'MARQUEE_BUS',
}
const ENGINES: readonly EngineName[] = ['eventLog', 'readStore', 'vault', 'bus']

const ROLE_COUNT = 3

/** The engines that a process shares with the processes of the roles that it omits. */
function sharedOf(roles: readonly ProcessRole[]): readonly EngineName[] {
  // An API process without the projector is one of several API nodes, or may become one.
  if (roles.includes('api')) return roles.includes('projector') ? ['bus'] : ENGINES
  return roles.includes('projector') ? ['eventLog', 'readStore', 'bus'] : ['bus']
}

export function brokenRules(settings: EngineSettings): readonly BrokenRule[] {
  return [
    ...missingSecret(settings),
    ...missingServers(settings),
    ...sameDatabase(settings),
    ...openMetrics(settings),
    ...missingClient(settings),
    ...brokenSendfile(settings),
  ]
}

/**
 * API nodes that share an engine must sign and verify alike, and a generated secret would not reach the others. Projectors and agents do
 * neither. Agents also open untrusted films: they must not have the secret.
 */
function missingSecret(settings: EngineSettings): readonly BrokenRule[] {
  const shared = ENGINES.find((name) => isShared(settings[name]))
  const signs = settings.roles.includes('api')
  if (settings.secret !== undefined || shared === undefined || !signs) return []
  const message = `MARQUEE_SECRET is missing: with ${SETTING[shared]} on a server, give every API node the same one, at least 32 characters.`
  return [{ name: 'MARQUEE_SECRET', message }]
}

/** A process that omits a role needs engines on servers, which it shares with the processes of that role. */
function missingServers(settings: EngineSettings): readonly BrokenRule[] {
  const { roles } = settings
  if (roles.length === ROLE_COUNT) return []
  const missing = sharedOf(roles).filter((name) => !isShared(settings[name]))
  if (missing.length === 0) return []
  const lacking = missing.map((name) => `${SETTING[name]} (${SERVERS[name]}, not ${settings[name]})`).join(', ')
  const message = `MARQUEE_ROLES=${roles.join(',')} needs engines that it shares with other processes: give ${lacking}.`
  return [{ name: 'MARQUEE_ROLES', message }]
}

/** Personal keys beside the read models would be in each backup of those, where an erasure could not reach them. */
function sameDatabase({ readStore, vault }: EngineSettings): readonly BrokenRule[] {
  if (!isShared(vault) || placeOf(vault) !== placeOf(readStore)) return []
  const message = 'MARQUEE_VAULT names the database of MARQUEE_READ_STORE: give it one of its own, such as marquee_vault.'
  return [{ name: 'MARQUEE_VAULT', message }]
}

/** Metrics reveal when a household watches: only this machine may read them without a token. */
function openMetrics({ metrics, metricsToken }: EngineSettings): readonly BrokenRule[] {
  if (metrics === undefined || metricsToken !== undefined || isLoopback(metrics.host)) return []
  const message = 'MARQUEE_METRICS_TOKEN is missing: other machines reach the address of MARQUEE_METRICS, so give a token, or 127.0.0.1.'
  return [{ name: 'MARQUEE_METRICS_TOKEN', message }]
}

function missingClient({ oidcIssuer, oidcClientId }: EngineSettings): readonly BrokenRule[] {
  if ((oidcIssuer === undefined) === (oidcClientId === undefined)) return []
  const name = oidcIssuer === undefined ? 'MARQUEE_OIDC_ISSUER' : 'MARQUEE_OIDC_CLIENT_ID'
  return [{ name, message: `${name} is missing: single sign-on needs the provider's issuer and a client id.` }]
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Hosts and database, without user info and options. */
const placeOf = (address: string) => address.replace(/\/\/[^/@]*@/, '//').replace(/\?.*$/s, '')
