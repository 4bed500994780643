/** Assembles Marquee: engines (the ports with their adapters), services over them, background tasks, the transcode agent, and HTTP. */
import type { Server } from 'node:net'
import { createTroubles, type Troubles } from '../app/tasks/trouble.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { startNodeTasks, type NodeTasks } from './node-tasks.ts'
import type { OpenOffline } from '../process/open-offline.ts'
import type { Config } from '../config/config.ts'
import { settingsInForce } from '../config/settings-in-force.ts'
import type { Report } from '../ports/report.ts'
import { createReport } from './log-lines.ts'
import type { Ports } from './ports.ts'
import { patiently } from './wait-for-servers.ts'
import { writePlainly } from '../http/server/plain-log.ts'
import type { Readiness } from '../http/server/app.ts'
import { createHttpServer } from '../http/server.ts'
import { StorageTrouble } from '../ports/server.ts'
import { WEB_FOLDER } from '../http/web/files.ts'
import { makeFirstAdmin, unusedAccount } from './first-admin.ts'
import { createBackupTasks, type BackupTasks } from './backup-tasks.ts'
import { keepCheckpoints } from './checkpoint-file.ts'
import { startMediaTasks } from './media-tasks.ts'
import type { Background } from './background-tasks.ts'
import { reportScan, type StartScan } from './start-scans.ts'
import { refuseMissingFolders, takeMediaFolders } from './media-folders.ts'
import type { CreateMarquee, Marquee, MarqueeOptions } from '../process/marquee.ts'
import { StartRefused } from '../process/start-failure.ts'
import { openWaitingServer, type WaitingServer } from '../process/waiting-server.ts'
import { serveMetrics, watchNode } from './metrics.ts'
import type { MetricsServer } from './metrics-server.ts'
import { createReadiness } from './readiness.ts'
import type { Services } from './services.ts'
import { VERSION } from '../process/version.ts'
import { operatorCommands } from './operator-commands.ts'
import { assemble, createAgent, type Parts } from './parts.ts'

export const createMarquee: CreateMarquee = async (options) => {
  const waiting = await openWaitingServer(options.config)
  try {
    return await build(options, waiting)
  } catch (cause) {
    await waiting.close()
    throw cause
  }
}

interface Running extends Parts {
  readonly config: Config
  readonly troubles: Troubles
  readonly waiting: WaitingServer
  readonly awaiting: Parameters<typeof patiently>[0]
  readonly background: NodeTasks
  readonly server: Awaited<ReturnType<typeof createHttpServer>>
  readonly agent: ReturnType<typeof createAgent> | undefined
  /** Aborts when the server stops: scans are no longer reported. */
  readonly reporting: AbortController
  readonly backups: BackupTasks
  readonly ready: () => Promise<Readiness>
  mediaTasks: Background | undefined
  metricsServer: MetricsServer | undefined
  stopSealing: () => Promise<void>
  startScans: readonly StartScan[]
}

async function build({ config, folder, readers, media = [] }: MarqueeOptions, waiting: WaitingServer): Promise<Marquee> {
  const parts = await assemble({ config, folder, waiting, readers })
  const { ports, services, onError, report } = parts
  const troubles = createTroubles(ports.clock, onError)
  const agent = config.roles.includes('agent') ? createAgent(parts, config) : undefined
  const awaiting = { clock: ports.clock, report, waiting: waiting.waitFor }
  const projects = config.roles.includes('projector')
  const ownsViews = config.readStore === 'sqlite:'
  const background = await patiently(awaiting, () =>
    startNodeTasks(ports, services, {
      projects,
      onError,
      troubles,
      ownsViews,
      print: (line: string) => report(line, 'warn'),
      tracer: parts.tracer,
      meters: parts.metrics?.meters,
    }),
  )
  const backups = createBackupTasks({ ports, services, config, onError, troubles })
  const ready = readinessOf(parts, background, backups)
  const server = await createServer(parts, config, ready, folder.cache)
  const running: Running = {
    ...parts,
    config,
    troubles,
    waiting,
    awaiting,
    background,
    server,
    backups,
    ready,
    agent,
    reporting: new AbortController(),
    mediaTasks: undefined,
    metricsServer: undefined,
    stopSealing: async () => {},
    startScans: [],
  }
  return {
    commands: operatorCommands(parts, async () => server),
    start: () => start(running, media),
    async addMediaFolders(paths, name) {
      running.startScans = await takeMediaFolders(services, { paths, name, onError })
    },
    reportScans: (print) => reportScans(running, print),
    stop: () => stop(running),
  }
}

const readinessOf = ({ ports, streaming, storage }: Parts, background: NodeTasks, backups: BackupTasks) =>
  createReadiness({
    servers: ports.servers,
    clock: ports.clock,
    storage: () => storage.reason(),
    caches: () => storage.warning(),
    views: background.readiness,
    hasAgents: () => streaming.hasAgents(),
    toneMaps: () => streaming.currentEncoders().toneMapping !== 'none',
    backups: backups.warning,
  })

function createServer(parts: Parts, config: Config, ready: Running['ready'], cacheFolder: string) {
  const { ports, services, streaming, streams, agentSources, secrets, metrics, storage, tracer } = parts
  return createHttpServer({
    services: { ...services, streams, agentSources },
    counters: ports.counters,
    idempotencyStore: ports.idempotencyStore,
    clock: ports.clock,
    ids: ports.ids,
    config: {
      ...config,
      secrets,
      settings: settingsInForce(config),
      sendfileBy: sendfileOf(config, cacheFolder),
      version: VERSION,
      webFolder: WEB_FOLDER,
    },
    ready,
    failed: (cause) => (cause instanceof StorageTrouble ? storage.noticed(cause) : undefined),
    backup: services.backups.status,
    agents: () => streaming.agents(),
    cache: () => ({ usedBytes: ports.segments.usedBytes(), limitBytes: config.cacheBytes }),
    ...omitUndefined({ meters: metrics?.meters, tracer }),
    log: { level: config.logLevel, ...(process.stdout.isTTY ? { write: writePlainly } : {}) },
  })
}

const sendfileOf = ({ sendfile, mediaRoots = [] }: Config, cacheFolder: string) =>
  sendfile === undefined ? undefined : { header: sendfile, folders: [...mediaRoots, cacheFolder] }

async function start(running: Running, media: NonNullable<MarqueeOptions['media']>) {
  const { address, awaiting, config, onError, ports, programs, server, services, waiting } = running
  await patiently(awaiting, () => recover(running, printAndAnswer(waiting, running.report)))
  await refuseMissingFolders(services, media)
  const firstAdmin = config.signUp === 'first' ? undefined : await patiently(awaiting, () => makeFirstAdmin(services, config))
  const unused = firstAdmin ? undefined : await patiently(awaiting, () => unusedAccount(services))
  const checkpointKey = await patiently(awaiting, () => services.checkpoints.verifier())
  await waiting.close()
  await server.listen({ host: config.host, port: waiting.port, listenTextResolver: (address) => `Listening at ${address}` })
  address.port = portOf(server.server.address())
  running.mediaTasks = startMediaTasks(ports, services, running)
  running.backups.start()
  if (running.metrics) {
    watchNode({ ...running, metrics: running.metrics })
    running.metricsServer = await serveMetrics(config, running.metrics)
  }
  const { checkpointFile: file } = config
  if (file !== undefined)
    running.stopSealing = keepCheckpoints({ services, clock: ports.clock, file, onError, caughtUp: () => visible(ports, services) })
  return { port: address.port, programs, checkpointKey, ...omitUndefined({ firstAdmin, unusedAccount: unused }) }
}

function reportScans({ onError, ports, services, startScans, reporting: { signal } }: Running, print: (line: string) => void): void {
  const reports = startScans.map((scan) => reportScan(services, scan, { clock: ports.clock, signal, print }))
  for (const each of reports) each.catch((cause: unknown) => (signal.aborted ? undefined : onError(cause)))
}

async function stop({ waiting, server, mediaTasks, services, agent, background, ports, ...running }: Running): Promise<void> {
  running.reporting.abort(new Error('The server is stopping'))
  await waiting.close()
  await running.metricsServer?.close()
  await server.close()
  await mediaTasks?.stop()
  await running.backups.stop()
  await services.scanRunner.close()
  await running.closeWork()
  await agent?.close()
  await running.stopSealing()
  await background.stop()
  await services.host.close()
  await ports.close()
  running.storage.stop()
}

/** The services on the files of a data folder, without a server: for the command line. */
export const openOffline: OpenOffline = async (options) => {
  const parts = await assemble({ ...options, report: createReport({ level: 'warn', form: 'text' }) })
  const { ports, services, closeWork, storage, onError, report } = parts
  const troubles = createTroubles(ports.clock, onError)
  const ownsViews = options.config.readStore === 'sqlite:'
  const background = await startNodeTasks(ports, services, {
    projects: true,
    onError,
    troubles,
    ownsViews,
    print: (line: string) => report(line, 'warn'),
  })
  await recover({ ...parts, background, config: options.config }, options.print)
  const backups = createBackupTasks({ ports, services, config: options.config, onError, troubles })
  const config: Config = { ...options.config, logLevel: 'silent' }
  let server: ReturnType<typeof createServer> | undefined
  return {
    // Few commands need the server, and building it takes longer than most of them.
    ...operatorCommands(
      parts,
      () => (server ??= createServer(parts, config, readinessOf(parts, background, backups), options.folder.cache)),
    ),
    async close() {
      await (await server?.catch(() => undefined))?.close()
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
  readonly report: Report
  readonly background: NodeTasks
  readonly services: Services
  readonly ports: Pick<Ports, 'servers'>
  readonly config: Pick<Config, 'secret' | 'previousSecret'>
}

/** Completes work that earlier processes left unfinished, once the views show it. */
async function recover({ background, services, ports, config, report }: Recovery, print?: (line: string) => void): Promise<void> {
  await background.caughtUp(print)
  const { secret, previousSecret } = config
  // A process without other nodes may change its secret freely.
  const isShared = secret !== undefined && ports.servers.length > 0
  const fault =
    (await services.installation.faultOfVault((line) => report(line, 'error'))) ??
    (isShared ? await services.installation.faultOfSecret(secret, previousSecret) : undefined)
  if (fault !== undefined) throw new StartRefused(fault)
  await services.scans.recover()
  await services.adminSeats.recover(adminsOf(services))
}

/** Settles when everything in the log is visible. */
const visible = async ({ log }: Pick<Ports, 'log'>, { readYourWrites }: Services) => readYourWrites.waitFor(await log.head())

/** Reports the reason for waiting to the terminal and to readiness checks. */
const printAndAnswer = (waiting: WaitingServer, report: Report) => (line: string) => {
  waiting.waitFor(line.replace(/\.$/, ''))
  report(line, 'info')
}

const adminsOf = ({ access }: Services) =>
  [...access.users.values()].filter(({ role, enabled }) => role === 'admin' && enabled).map(({ id }) => id)

const portOf = (address: ReturnType<Server['address']>) => (address && typeof address === 'object' ? address.port : 0)
