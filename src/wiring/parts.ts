/** The parts of a node, put together but not started: ports, the streaming engine, services over them, and the transcode agent. */
import { availableParallelism, networkInterfaces } from 'node:os'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { createTranscodeAgent } from '../../transcode-agent/agent.ts'
import { createProof } from '../../transcode-agent/encoder-proof.ts'
import { createStartRead } from '../../transcode-agent/media-read.ts'
import { createMediaReader } from '../../transcode-agent/media-reader.ts'
import { openUnchanged } from '../../transcode-agent/open-media.ts'
import type { Programs } from '../ffmpeg/ffmpeg-programs.ts'
import { createSystemClock } from '../adapters/node/clock.ts'
import { createSystemIds } from '../adapters/node/ids.ts'
import { PASSWORD_COST } from '../app/accounts/password-hash.ts'
import { createAgentSources } from '../app/streaming/agent-sources.ts'
import { createStreamingEngine } from '../app/streaming/engine.ts'
import { createSourceTokens } from '../app/streaming/source-tokens.ts'
import { createTranscodeJournal } from '../app/streaming/transcode-journal.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'
import { openPorts, type PortOptions } from './ports.ts'
import { noteFormats, refuseNewerData } from './data-formats.ts'
import { waitForServers } from './wait-for-servers.ts'
import { flushRecords } from './flush-records.ts'
import type { MarqueeOptions } from '../process/marquee.ts'
import { nodeName } from '../process/node-name.ts'
import { reachableAddresses } from '../process/reachable-addresses.ts'
import type { Report } from '../ports/report.ts'
import { createReport } from './log-lines.ts'
import type { WaitingServer } from '../process/waiting-server.ts'
import { StorageTrouble } from '../ports/server.ts'
import { meteredJobs, meteredJournal } from './metered-ports.ts'
import { loadTracer, traced, tracedJobs } from './tracing.ts'
import { runJob } from '../../transcode-agent/job.ts'
import { loadMetrics, metered } from './metrics.ts'
import { createStorageWatch, refusingWhenFull } from './storage-watch.ts'
import { createServices } from './services.ts'
import { VERSION } from '../process/version.ts'
import { findReaders } from './readers.ts'
import { signingSecrets } from './signing-secrets.ts'
import { createStreamProblems } from '../app/streaming/stream-problems.ts'
import { createStreams } from '../app/streaming/stream-service.ts'
import { slotsOf } from './transcode-slots.ts'

interface AssembleOptions {
  readonly config: MarqueeOptions['config']
  readonly folder: DataFolder
  /** Answers meanwhile, in a process that serves requests. */
  readonly waiting?: WaitingServer
  /** Default: they are searched for now. */
  readonly readers?: MarqueeOptions['readers']
  /** Default: lines of the log. */
  readonly report?: Report
}

export type Parts = Awaited<ReturnType<typeof assemble>>

/** The files that must stay in place. */
function watchStorage({ config, folder }: AssembleOptions, report: Report) {
  const files = [
    folder.lock,
    ...(config.eventLog === 'sqlite:' ? [folder.eventLog] : []),
    ...(config.vault === 'sqlite:' ? [folder.vault] : []),
  ]
  const holdsCachesOnly = [config.eventLog, config.readStore, config.vault].every((engine) => engine !== 'sqlite:')
  return createStorageWatch({ folder: folder.path, files, holdsCachesOnly, clock: createSystemClock(), report })
}

/** A full disk does not keep the server from starting: it then answers what needs no write. */
function noteFormatsOf(folder: DataFolder, onError: Report): void {
  try {
    noteFormats(folder, VERSION)
  } catch (cause) {
    onError(cause)
  }
}

/** The ports, counted and traced as far as settings ask for it. */
async function openObservedPorts(options: Omit<PortOptions, 'config' | 'tracer'> & { readonly config: Config }) {
  const { config, name: instance, onError } = options
  const metrics = await loadMetrics(config, VERSION)
  const tracer = await loadTracer({ config, version: VERSION, instance, onError })
  const opened = await openPorts({ ...options, tracer })
  return { ports: traced(metered(opened, metrics?.meters), tracer), metrics, tracer }
}

export async function assemble({ config, folder, waiting, readers, report = createReport({ level: config.logLevel }) }: AssembleOptions) {
  refuseNewerData({ config, folder })
  const storage = watchStorage({ config, folder }, report)
  const onError: Report = (cause, level) => (cause instanceof StorageTrouble ? storage.noticed(cause) : report(cause, level))
  noteFormatsOf(folder, onError)
  const programs = await (readers ?? findReaders(config))
  const node = nodeName(createSystemIds())
  const reads =
    config.mediaWork === 'agents' ? { sign: (path: string, readId: string) => sourceTokens.signPath(path, readId) } : pathsOf(programs)
  const observed = await openObservedPorts({ config, folder, name: node, reads, onError })
  const { metrics } = observed
  const ports = { ...observed.ports, log: refusingWhenFull(observed.ports.log, storage) }
  storage.begin()
  const { clock } = ports
  await waitForServers(ports.servers, { clock, report, ...omitUndefined({ waiting: waiting?.waitFor }) })
  const secrets = signingSecrets(config, folder, report)
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
    ...omitUndefined({ looked: metrics?.meters.segment }),
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
    webhookSettled: metrics?.meters.webhook,
    idleSeconds: config.sessionIdleSeconds,
    mediaRoots: config.mediaRoots ?? [],
    ...accountRules(config),
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
  return { ...observed, services, agentSources, streaming, streams, closeWork, programs, secrets, node, address, storage, onError, report }
}

const accountRules = (config: Config) => ({
  signUp: config.signUp,
  passwordCost: { ...PASSWORD_COST, logN: config.passwordCost },
  setupToken: config.setupToken,
  singleSignOn: {
    name: config.oidcName,
    signUp: config.oidcSignUp === 'on',
    linkByEmail: config.oidcLinkByEmail === 'on',
    groups: { users: config.oidcUsers, admins: config.oidcAdmins, libraries: config.oidcLibraries },
  },
})

export function createAgent({ ports: { bus, clock }, node, programs, metrics, tracer, onError }: Parts, config: Config) {
  const { ffmpeg: ffmpegPath, ffprobe } = pathsOf(programs)
  // Without ffmpeg there is nothing to test; the start-up text reports that.
  const prove = programs.ffmpeg === undefined || config.encoderTests === 'off' ? undefined : createProof({ ffmpegPath, clock })
  const start = createStartRead({ ffmpeg: ffmpegPath, ffprobe })
  const reader = programs.ffmpeg === undefined ? undefined : createMediaReader({ bus, clock, start, onError })
  const slots = slotsOf(config)
  const agent = createTranscodeAgent({
    bus,
    clock,
    agentId: node,
    ffmpegPath,
    version: programs.version ?? '',
    slots,
    prove,
    onError,
    print: (line) => onError(line, 'info'),
    openSource: openUnchanged(clock),
    work: meteredJobs(tracedJobs(runJob, tracer), metrics?.meters),
  })
  return {
    slots: () => ({ all: slots, used: agent.usedSlots() }),
    async close() {
      await reader?.close()
      await agent.close()
    },
  }
}

/** If a program was not found its plain name stays: errors then appear for each file. */
const pathsOf = (programs: Partial<Programs>) => ({ ffmpeg: programs.ffmpeg ?? 'ffmpeg', ffprobe: programs.ffprobe ?? 'ffprobe' })
