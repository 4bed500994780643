/** Assembles Marquee: engines (the ports with their adapters), services over them, background tasks, the transcode agent, and HTTP. */
import type { Server } from 'node:net'
import { availableParallelism, networkInterfaces } from 'node:os'
import { findPrograms, type Programs } from '../ffmpeg/ffmpeg-programs.ts'
import { createSystemClock } from '../adapters/node/clock.ts'
import { createSystemIds } from '../adapters/node/ids.ts'
import { createAgentSources } from '../app/streaming/agent-sources.ts'
import { createStreamingEngine } from '../app/streaming/engine.ts'
import { createSourceTokens } from '../app/streaming/source-tokens.ts'
import { createTranscodeJournal } from '../app/streaming/transcode-journal.ts'
import { startNodeTasks, type NodeTasks } from './node-tasks.ts'
import type { OpenOffline } from '../process/open-offline.ts'
import type { Config } from '../config/config.ts'
import { settingsInForce } from '../config/settings-in-force.ts'
import type { DataFolder } from '../process/data-folder.ts'
import { openPorts, type Ports } from './ports.ts'
import { waitForServers, patiently } from './wait-for-servers.ts'
import { writePlainly } from '../http/server/plain-log.ts'
import { createHttpServer } from '../http/server.ts'
import { WEB_FOLDER } from '../http/web/files.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { createBackupTasks } from './backup-tasks.ts'
import { createAgent, pathsOf } from './embedded-agent.ts'
import { flushRecords } from './flush-records.ts'
import { keepCheckpoints } from './checkpoint-file.ts'
import { startMediaTasks, type MediaTasks } from './media-tasks.ts'
import { tellScan, type StartScan } from './start-scans.ts'
import { refuseMissingFolders, takeMediaFolders } from './media-folders.ts'
import type { CreateMarquee, Marquee, MarqueeOptions } from '../process/marquee.ts'
import { nodeName } from '../process/node-name.ts'
import { reachableAddresses } from '../process/reachable-addresses.ts'
import { oneLine, StartRefused } from '../process/start-failure.ts'
import type { ProgramsFound } from '../process/start-text.ts'
import { openWaitingServer, type WaitingServer } from '../process/waiting-server.ts'
import { StorageTrouble } from '../ports/server.ts'
import { programEnvironment } from './ffmpeg-environment.ts'
import { meteredJournal } from './metered-ports.ts'
import { loadMetrics, metered, serveMetrics } from './metrics.ts'
import type { MetricsServer } from './metrics-server.ts'
import { createReadiness } from './readiness.ts'
import { createStorageWatch } from './storage-watch.ts'
import { createServices, type Services } from './services.ts'
import { signingSecrets } from './signing-secrets.ts'
import { createStreamProblems } from '../app/streaming/stream-problems.ts'
import { createStreams } from '../app/streaming/stream-service.ts'

const VERSION = '0.1.0'

export const createMarquee: CreateMarquee = async (options) => {
  const waiting = await openWaitingServer(options.config)
  try {
    return await build(options, waiting)
  } catch (cause) {
    await waiting.close()
    throw cause
  }
}

async function build({ config, folder, media = [] }: MarqueeOptions, waiting: WaitingServer): Promise<Marquee> {
  const parts = await assemble({ config, folder, waiting })
  const { ports, services, streaming, closeWork, metrics, programs, secrets, storage, onError, address } = parts
  const agent = config.roles.includes('agent') ? createAgent(parts, config) : undefined
  const awaiting = { clock: ports.clock, print: console.error, waiting: waiting.waitFor }
  const projects = config.roles.includes('projector')
  const ownsViews = config.readStore === 'sqlite:'
  const background = await patiently(awaiting, () =>
    startNodeTasks(ports, services, { projects, onError, ownsViews, print: console.error }),
  )
  const backups = createBackupTasks({ ports, services, config, onError })
  const ready = createReadiness({
    servers: ports.servers,
    clock: ports.clock,
    storage: () => storage.reason(),
    views: background.readiness,
    hasAgents: () => streaming.hasAgents(),
    toneMaps: () => streaming.means().toneMapping !== 'none',
    backups: backups.warning,
  })
  const server = await createHttpServer({
    services: { ...services, streams: parts.streams, agentSources: parts.agentSources },
    counters: ports.counters,
    idempotencyStore: ports.idempotencyStore,
    clock: ports.clock,
    ids: ports.ids,
    config: { ...config, secrets, settings: settingsInForce(config), version: VERSION, webFolder: WEB_FOLDER },
    ready,
    ...(metrics ? { meters: metrics.meters } : {}),
    backup: services.backups.status,
    log: { level: config.logLevel, ...(process.stdout.isTTY ? { write: writePlainly } : {}) },
  })
  let keeping: MediaTasks | undefined
  let metricsServer: MetricsServer | undefined
  let stopSealing = async (): Promise<void> => {}
  let startScans: readonly StartScan[] = []
  const telling = new AbortController()
  return {
    commands: services.operators,
    async start() {
      await patiently(awaiting, () => recover({ ...parts, background, config }, tellAndAnswer(waiting)))
      await refuseMissingFolders(services, media)
      const firstAdmin = config.signUp === 'first' ? undefined : await patiently(awaiting, () => makeFirstAdmin(services, config))
      const checkpointKey = await patiently(awaiting, () => services.checkpoints.verifier())
      await waiting.close()
      await server.listen({ host: config.host, port: waiting.port, listenTextResolver: (address) => `Listening at ${address}` })
      address.port = portOf(server.server.address())
      keeping = startMediaTasks(ports, services, onError)
      backups.start()
      if (metrics) metricsServer = await serveMetrics({ config, metrics, ports, services, ready })
      const { checkpointFile: file } = config
      if (file !== undefined)
        stopSealing = keepCheckpoints({ services, clock: ports.clock, file, onError, caughtUp: () => visible(ports, services) })
      return { port: address.port, programs, checkpointKey, ...(firstAdmin ? { firstAdmin } : {}) }
    },
    async addMediaFolders(paths, name) {
      startScans = await takeMediaFolders(services, { paths, name, onError })
    },
    tellScans(print) {
      const { signal } = telling
      const told = startScans.map((scan) => tellScan(services, scan, { clock: ports.clock, signal, print }))
      for (const each of told) each.catch((cause: unknown) => (signal.aborted ? undefined : onError(cause)))
    },
    async stop() {
      telling.abort(new Error('The server is stopping'))
      await waiting.close()
      await metricsServer?.close()
      await server.close()
      await keeping?.stop()
      await backups.stop()
      await services.scanRunner.close()
      await closeWork()
      await agent?.close()
      await stopSealing()
      await background.stop()
      await services.host.close()
      await ports.close()
      storage.stop()
    },
  }
}

/** The services on the files of a data folder, without a server: for the command line. */
export const openOffline: OpenOffline = async (options) => {
  const parts = await assemble(options)
  const { ports, services, closeWork, storage, onError } = parts
  const ownsViews = options.config.readStore === 'sqlite:'
  const background = await startNodeTasks(ports, services, { projects: true, onError, ownsViews, print: console.error })
  await recover({ ...parts, background, config: options.config }, options.print)
  return {
    ...services.operators,
    async close() {
      await services.scanRunner.close()
      await closeWork()
      await background.stop()
      await services.host.close()
      await ports.close()
      storage.stop()
    },
  }
}

interface Recovery {
  readonly background: NodeTasks
  readonly services: Services
  readonly ports: Pick<Ports, 'servers'>
  readonly config: Pick<Config, 'secret' | 'previousSecret'>
}

/** Completes work that earlier processes left unfinished, once the views show it. */
async function recover({ background, services, ports, config }: Recovery, print?: (line: string) => void): Promise<void> {
  await background.caughtUp(print)
  const { secret, previousSecret } = config
  // A process without other nodes may change its secret freely.
  const isShared = secret !== undefined && ports.servers.length > 0
  const fault =
    (await services.installation.faultOfVault(print ?? console.error)) ??
    (isShared ? await services.installation.faultOfSecret(secret, previousSecret) : undefined)
  if (fault !== undefined) throw new StartRefused(fault)
  await services.scans.recover()
  await services.adminSeats.recover(adminsOf(services))
}

interface AssembleOptions {
  readonly config: MarqueeOptions['config']
  readonly folder: DataFolder
  /** Answers meanwhile, in a process that serves requests. */
  readonly waiting?: WaitingServer
}

/** Settles when everything in the log is visible. */
const visible = async ({ log }: Pick<Ports, 'log'>, { readYourWrites }: Services) => readYourWrites.waitFor(await log.head())

/** Reports the reason for waiting to the terminal and to readiness checks. */
const tellAndAnswer = (waiting: WaitingServer) => (line: string) => {
  waiting.waitFor(line.replace(/\.$/, ''))
  console.error(line)
}

/** A node that leaves films to agents starts no program at all. */
async function findReaders(config: Config): Promise<ProgramsFound & Partial<Programs>> {
  if (config.mediaWork === 'agents' && !config.roles.includes('agent')) return { by: 'agents' }
  return findPrograms(programEnvironment(config)).catch((cause: Error) => ({ problem: cause.message }))
}

/** The files that must stay in place. */
function watchStorage({ config, folder }: AssembleOptions) {
  const files = [
    folder.lock,
    ...(config.eventLog === 'sqlite:' ? [folder.eventLog] : []),
    ...(config.vault === 'sqlite:' ? [folder.vault] : []),
  ]
  return createStorageWatch({ folder: folder.path, files, clock: createSystemClock(), print: console.error })
}

async function assemble({ config, folder, waiting }: AssembleOptions) {
  const storage = watchStorage({ config, folder })
  const onError = (cause: unknown) => (cause instanceof StorageTrouble ? storage.noticed(cause) : console.error(oneLine(cause)))
  const programs = await findReaders(config)
  const node = nodeName(createSystemIds())
  const reads =
    config.mediaWork === 'agents' ? { sign: (path: string, readId: string) => sourceTokens.signPath(path, readId) } : pathsOf(programs)
  const metrics = await loadMetrics(config, VERSION)
  const ports = metered(await openPorts({ config, folder, name: node, reads, onError }), metrics?.meters)
  storage.begin()
  const { clock } = ports
  await waitForServers(ports.servers, { clock, print: console.error, ...(waiting ? { waiting: waiting.waitFor } : {}) })
  const secrets = signingSecrets(config, folder)
  const sourceTokens = createSourceTokens({ clock, secrets })
  const written = createTranscodeJournal({
    clock,
    commandHandler: { execute: (...asked) => services.commandHandler.execute(...asked) },
    onError,
  })
  const journal = metrics ? meteredJournal(written, metrics.meters) : written
  const { memoryCacheBytes } = config
  const streaming = createStreamingEngine({
    ...ports,
    node,
    signSource: sourceTokens.sign,
    userOf: (sessionId) => services.access.sessions.get(sessionId)?.userId,
    memoryCacheBytes,
    segmentStore: ports.segments,
    journal,
    ...(metrics ? { looked: metrics.meters.segment } : {}),
    onError,
  })
  const streams = createStreams(streaming, createStreamProblems({ ...ports, node }), onError)
  const address = { port: 0 }
  const services = createServices({
    ports,
    streams,
    node,
    secrets,
    onError,
    idleSeconds: config.sessionIdleSeconds,
    mediaRoots: config.mediaRoots ?? [],
    signUp: config.signUp,
    setupToken: config.setupToken,
    backups: { folder, config },
    probeWidth: Math.max(2, availableParallelism()),
    urls: () => reachableAddresses({ host: config.host, port: address.port, interfaces: networkInterfaces() }),
  })
  const agentSources = createAgentSources({ ...services, clock, tokens: sourceTokens })
  const closeWork = async (): Promise<void> => {
    await streaming.close()
    await journal.settled()
    await services.audioGains.close()
    await flushRecords(services)
  }
  return { ports, services, agentSources, streaming, streams, closeWork, metrics, programs, secrets, node, address, storage, onError }
}

const adminsOf = ({ access }: Services) =>
  [...access.users.values()].filter(({ role, enabled }) => role === 'admin' && enabled).map(({ id }) => id)

const portOf = (address: ReturnType<Server['address']>) => (address && typeof address === 'object' ? address.port : 0)
