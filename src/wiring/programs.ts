/** Builds programs: processes that are a projector or a transcode agent, or both, and serve no requests. */
import { createTranscodeAgent, type TranscodeAgent } from '../../transcode-agent/agent.ts'
import { createMediaSources } from '../../transcode-agent/media-sources.ts'
import { createProof } from '../../transcode-agent/encoder-proof.ts'
import { createStartRead } from '../../transcode-agent/media-read.ts'
import { createMediaReader, type MediaReader } from '../../transcode-agent/media-reader.ts'
import { views } from '../../projections/views/all.ts'
import { createViewGenerations } from '../app/consistency/view-generations.ts'
import { KEEP_OLD_MS, runProjectors } from '../../projections/projector/projectors.ts'
import { findPrograms } from '../ffmpeg/ffmpeg-programs.ts'
import { warnUnconfined } from '../ffmpeg/confinement.ts'
import { createSystemIds } from '../adapters/node/ids.ts'
import type { Config } from '../config/config.ts'
import { openAgentPorts, openProjectorPorts, type AgentPorts, type ProjectorPorts } from './ports.ts'
import { waitForServers } from './wait-for-servers.ts'
import { programEnvironment } from './ffmpeg-environment.ts'
import { nodeName } from '../process/node-name.ts'
import type { CreateProgram } from '../process/run-program.ts'
import { printable } from '../process/columns.ts'
import { createReport } from './log-lines.ts'
import { slotsOf } from './transcode-slots.ts'
import { meteredBus, meteredJobs, meteredProjection } from './metered-ports.ts'
import { loadMetrics, metered, serveMetrics, storedLag, upOf } from './metrics.ts'
import type { MetricsServer } from './metrics-server.ts'
import { loadTracer, tracedJobs, tracedProjection } from './tracing.ts'
import { runJob } from '../../transcode-agent/job.ts'
import { VERSION } from '../process/version.ts'
import type { Gauges, Metrics } from '../ports/meters.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { Report } from '../ports/report.ts'

export const createProgram: CreateProgram = async (config) => {
  const name = nodeName(createSystemIds())
  const onError = createReport({ level: config.logLevel })
  const tracer = await loadTracer({ config, version: VERSION, instance: name, onError })
  const metrics = await loadMetrics(config, VERSION)
  const opening = { config, name, onError, tracer }
  const parts: Part[] = []
  if (config.roles.includes('projector')) parts.push(projector(await openProjectorPorts(opening), { onError, tracer, metrics }))
  if (config.roles.includes('agent')) parts.push(agent(await openAgentPorts(opening), { config, name, onError, tracer, metrics }))
  if (metrics) watch(metrics, parts)
  let metricsServer: MetricsServer | undefined
  const stopping = new AbortController()
  return {
    async start() {
      const lines: string[] = []
      // From here on they report the servers that the program waits for.
      if (metrics) metricsServer = await serveMetrics(config, metrics)
      for (const { ports, start } of parts) {
        await waitForServers(ports.servers, { clock: ports.clock, report: onError, signal: stopping.signal })
        lines.push(await start())
      }
      return lines
    },
    async stop() {
      stopping.abort()
      await metricsServer?.close()
      for (const { ports, stop } of parts) {
        await stop()
        await ports.close()
      }
      await tracer?.close()
    },
  }
}

function watch(metrics: Metrics, parts: readonly Part[]): void {
  for (const { gauges } of parts) metrics.watch(gauges)
  metrics.watch({ servers: () => upOf(parts.flatMap(({ ports }) => ports.servers)) })
}

interface Part {
  readonly ports: AgentPorts
  /** Read when the metrics are requested. */
  readonly gauges: Partial<Gauges>
  /** Returns a line for a person. */
  start(this: void): Promise<string>
  stop(this: void): Promise<void>
}

interface ProgramOptions {
  readonly onError: Report
  readonly tracer: Tracer | undefined
  readonly metrics: Metrics | undefined
}

function projector(opened: ProjectorPorts, { onError, tracer, metrics }: ProgramOptions): Part {
  const ports = metered(opened, metrics?.meters)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    ports,
    gauges: { lag: () => storedLag(ports) },
    async start() {
      const generations = createViewGenerations(ports)
      const log = tracedProjection(meteredProjection(ports.log, metrics?.meters), tracer, ports.clock)
      running = runProjectors(
        { ...ports, log, views, generations, onError, print: (line) => onError(line, 'info'), keepOldMs: KEEP_OLD_MS },
        stopping.signal,
      )
      return `Marquee's projector is running: it keeps ${views.length} views, or waits until no other projector does.`
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

interface AgentPart extends ProgramOptions {
  readonly config: Config
  readonly name: string
}

function agent(ports: AgentPorts, { config, name, onError, tracer, metrics }: AgentPart): Part {
  const { clock } = ports
  const bus = metrics ? meteredBus(ports.bus, metrics.meters) : ports.bus
  const slots = slotsOf(config)
  const { apiUrl, pathMap } = config
  const roots = config.mediaRoots && [...config.mediaRoots, ...(pathMap ?? []).map(({ to }) => to)]
  const sources = createMediaSources({ apiUrl, pathMap, roots, clock, onError })
  let running: TranscodeAgent | undefined
  let reader: MediaReader | undefined
  return {
    ports,
    gauges: { slots: () => ({ all: slots, used: running?.usedSlots() ?? 0 }) },
    async start() {
      const programs = await findPrograms(programEnvironment(config))
      warnUnconfined(onError)
      const { ffmpeg: ffmpegPath, version } = programs
      const prove = config.encoderTests === 'off' ? undefined : createProof({ ffmpegPath, clock })
      reader = createMediaReader({ bus, clock, start: createStartRead(programs), openSource: sources.open, onError })
      running = createTranscodeAgent({
        bus,
        clock,
        agentId: name,
        ffmpegPath,
        version,
        slots,
        prove,
        onError,
        print: (line) => onError(line, 'info'),
        // The node that asked for the job warns of it.
        jobFailed: ({ jobId }, reason) => onError(printable(`Job ${jobId} failed: ${reason}`), 'info'),
        openSource: sources.open,
        work: meteredJobs(tracedJobs(runJob, tracer), metrics?.meters),
      })
      const agent = `Marquee's transcode agent ${name} is running: ${slots} slots, ffmpeg ${programs.version} (${programs.ffmpeg}).`
      return `${agent} ${sourcesLine(config)}`
    },
    async stop() {
      await reader?.close()
      await running?.close()
      await sources.close()
    },
  }
}

function sourcesLine({ apiUrl, pathMap = [] }: Pick<Config, 'apiUrl' | 'pathMap'>): string {
  const places = pathMap.map(({ from, to }) => `${from} at ${to}`)
  const mounted = places.length > 0 ? `mounted here (${places.join(', ')})` : 'mounted here at the paths of the API nodes'
  return apiUrl === undefined
    ? `It reads films that are ${mounted}.`
    : `It reads films that are ${mounted}, and fetches others from ${apiUrl}.`
}
