/**
 * Opens the engines selected by settings: for each port a file in the data folder (or memory of this process), or a server. A server's
 * driver
 * is loaded only if a setting names one.
 */
import { join } from 'node:path'
import { createDiskImageStore } from '../adapters/filesystem/image-store.ts'
import { createLocalBus } from '../adapters/memory/bus.ts'
import { createMemoryCounters } from '../adapters/memory/counters.ts'
import { createMemoryLeases } from '../adapters/memory/leases.ts'
import { createSqliteEventLog } from '../adapters/sqlite/event-log.ts'
import { createSqliteIdempotencyStore } from '../adapters/sqlite/idempotency-store.ts'
import { createSqliteReadStore } from '../adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../adapters/sqlite/vault.ts'
import { createReadableLog } from '../app/consistency/readable-log.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Counters } from '../ports/counters.ts'
import type { Server } from '../ports/server.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Leases } from '../ports/leases.ts'
import type { OnlineMetadata } from '../ports/online-metadata.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { IdempotencyStore } from '../ports/idempotency-store.ts'
import type { ReadStore } from '../ports/read-store.ts'
import type { Tracer } from '../ports/tracer.ts'
import { currentRequest } from '../concurrency/current-request.ts'
import type { Vault } from '../ports/vault.ts'
import { StartRefused } from '../process/start-failure.ts'
import type { Report } from '../ports/report.ts'

interface Part {
  /** The server it uses; undefined if it is part of this process. */
  readonly engine?: Server
  close(this: void): Promise<void>
}

export interface AdapterOptions {
  readonly config: Pick<Config, 'eventLog' | 'readStore' | 'vault' | 'bus'>
  readonly clock: Clock
  /** Folder of the files; a process without one has all engines on servers. */
  readonly folder?: DataFolder
  /** Name of this process, for servers that list their clients. */
  readonly name: string
  readonly onError: Report
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | undefined
}

interface Events {
  readonly log: EventLog
  /** The same log as stored: it fails at an unreadable event instead of skipping it, for verification. */
  readonly wholeLog: EventLog
}

export async function openEventLog({ config, clock, folder, onError }: AdapterOptions): Promise<Part & Events> {
  if (config.eventLog === 'sqlite:') {
    const files = filesOf(folder)
    const beside = [files.lock, ...(config.vault === 'sqlite:' ? [files.vault] : [])]
    const log = createSqliteEventLog({ clock, file: files.eventLog, beside })
    return { log: createReadableLog(log, onError), wholeLog: { ...log, follow: log.followFile }, close: () => log.close() }
  }
  const { createEsdbEventLog } = await import('../adapters/esdb/event-log.ts')
  const log = forSetting('MARQUEE_EVENT_LOG', () => createEsdbEventLog({ url: config.eventLog, clock, onError }))
  return {
    log: createReadableLog(log, onError),
    wholeLog: log,
    engine: named(log, 'MARQUEE_EVENT_LOG', config.eventLog),
    close: () => log.close(),
  }
}

export async function openReadStore({ config, clock, folder }: AdapterOptions): Promise<Part & { readonly store: ReadStore }> {
  if (config.readStore === 'sqlite:') {
    const store = createSqliteReadStore({ file: filesOf(folder).readModels, clock })
    return { store, close: () => store.close() }
  }
  const [{ connectMongo }, { createMongoReadStore }] = await Promise.all([
    import('../adapters/mongodb/connection.ts'),
    import('../adapters/mongodb/read-store.ts'),
  ])
  const connection = forSetting('MARQUEE_READ_STORE', () => connectMongo({ url: config.readStore, clock }))
  const store = createMongoReadStore({ connection, clock })
  return { store, engine: named(connection.engine, 'MARQUEE_READ_STORE', config.readStore), close: () => closeAll([store, connection]) }
}

interface Secrets {
  readonly vault: Vault
  readonly counters: Counters
  readonly idempotencyStore: IdempotencyStore
}

/** Opens the stores of erasable and secret data, and the state that all API nodes share. */
export async function openSecrets({ config, clock, folder }: AdapterOptions): Promise<Part & Secrets> {
  if (config.vault === 'sqlite:') {
    const files = filesOf(folder)
    const vault = createSqliteVault({ file: files.vault })
    const idempotencyStore = createSqliteIdempotencyStore({ file: files.idempotencyStore, clock })
    return { vault, idempotencyStore, counters: createMemoryCounters({ clock }), close: () => closeAll([idempotencyStore, vault]) }
  }
  const { openMongoSecrets } = await import('../adapters/mongodb/secrets.ts')
  const fallback = createMemoryCounters({ clock })
  const secrets = forSetting('MARQUEE_VAULT', () => openMongoSecrets({ url: config.vault, clock, fallback }))
  const { vault, idempotencyStore, counters, engine, close } = secrets
  return { vault, idempotencyStore, counters, engine: named(engine, 'MARQUEE_VAULT', config.vault), close }
}

/** First words of the subjects that carry segments (src/app/streaming/agents/agent-protocol.ts). */
const BULK_WORDS = ['stream', 'rendition']

const REQUEST_HEADER = 'marquee-request'
/** W3C Trace Context, section 3.2. */
const TRACE_HEADER = 'traceparent'

interface Messaging {
  readonly bus: Bus
  readonly leases: Leases
}

export interface MessagingOptions extends AdapterOptions {
  /** What leases of this process alone fence, if it has any. */
  readonly store?: Pick<ReadStore, 'lastEpoch'> | undefined
}

export async function openMessaging({ config, clock, name, onError, tracer, store }: MessagingOptions): Promise<Part & Messaging> {
  if (config.bus === 'local:') {
    const bus = createLocalBus({ clock, onError: (error) => onError(error) })
    // Tokens keep rising over restarts: they fence off older processes. The clock alone does not do: it may have been ahead.
    const table = { held: new Map(), token: clock.now() }
    const leases = createMemoryLeases({ clock, table, ...(store && { lastToken: () => store.lastEpoch() }) })
    return { bus, leases, close: () => closeAll([leases, bus]) }
  }
  const [{ connectNats }, { createSplitBus }, { createNatsLeases }] = await Promise.all([
    import('../adapters/nats/connection.ts'),
    import('../adapters/nats/split-bus.ts'),
    import('../adapters/nats/leases.ts'),
  ])
  const connection = connectNats({ url: config.bus, name, clock, onError })
  const contexts = { [REQUEST_HEADER]: currentRequest, ...(tracer && { [TRACE_HEADER]: tracer }) }
  const bus = createSplitBus({ connection, clock, onError: (error) => onError(error), contexts, words: BULK_WORDS })
  const leases = createNatsLeases({ connection, clock, bus, name })
  return { bus, leases, engine: named(connection.engine, 'MARQUEE_BUS', config.bus), close: () => closeAll([leases, bus, connection]) }
}

export interface OnlineOptions {
  readonly config: Partial<Pick<Config, 'tmdbKey' | 'tmdbUrl'>>
  readonly clock: Clock
  readonly folder: DataFolder
  readonly onError: Report
}

/** Disk space for the provider's images, which are kept permanently. */
const ONLINE_IMAGES_BYTES = 500_000_000

/** Undefined without a key. Fetched data is kept beside the other blobs. */
export async function openOnline({ config, clock, folder, onError }: OnlineOptions): Promise<Part & { readonly online?: OnlineMetadata }> {
  const { tmdbKey: key, tmdbUrl: url } = config
  if (key === undefined) return { close: async () => {} }
  const { createTmdb } = await import('../adapters/tmdb/tmdb.ts')
  const kept = join(folder.blobs, 'online')
  const place = { clock, folder: join(kept, 'pictures'), budgetBytes: ONLINE_IMAGES_BYTES, memoryBytes: 0, onError }
  const images = createDiskImageStore(place)
  return { online: createTmdb({ key, url, folder: join(kept, 'answers'), images, clock, onError }), close: () => images.close() }
}

export type IdentityProviderConfig = Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcScopes' | 'oidcGroupsClaim'>

/** Undefined without an issuer. Its package is loaded only if it is needed. */
export async function openIdentityProvider({
  config: { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes, oidcGroupsClaim: groupsClaim },
  clock,
  onError,
}: {
  readonly config: Partial<IdentityProviderConfig>
  readonly clock: Clock
  readonly onError: Report
}): Promise<IdentityProvider | undefined> {
  if (issuer === undefined || clientId === undefined || scopes === undefined || groupsClaim === undefined) return undefined
  const { createIdentityProvider } = await import('../adapters/openid-client/identity-provider.ts')
  return createIdentityProvider({ issuer, clientId, clientSecret, scopes, groupsClaim, clock, onError })
}

type Setting = 'MARQUEE_EVENT_LOG' | 'MARQUEE_READ_STORE' | 'MARQUEE_VAULT' | 'MARQUEE_BUS'

/** Under the names that people know from their settings. */
export const named = (engine: Server, setting: Setting, url: string): Server => ({
  name: engine.name,
  setting,
  address: url.split(',').map(hostOf).join(','),
  check: () => engine.check(),
})

/** The host of one part of an address, without scheme, user info, path and options. */
function hostOf(part: string): string {
  const place = part.split('://').at(-1) ?? ''
  const host = place.slice(place.lastIndexOf('@') + 1)
  return host.split(/[/?]/, 1)[0] ?? ''
}

/** @throws StartRefused with the setting's name, if the driver rejects the address */
export function forSetting<Made>(setting: Setting, make: () => Made): Made {
  try {
    return make()
  } catch (cause) {
    throw new StartRefused(`${setting}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function filesOf(folder: DataFolder | undefined): DataFolder {
  if (!folder) throw new Error('A process without a data folder needs all its engines on servers')
  return folder
}

/** Closes one after another; a failure does not keep the others open. */
export async function closeAll(open: readonly { close(): Promise<void> }[]): Promise<void> {
  const ends: PromiseSettledResult<void>[] = []
  for (const one of open) ends.push(...(await Promise.allSettled([one.close()])))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
