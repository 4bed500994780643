/** Programs: a process that is a projector or a transcode agent, or both, and serves no requests itself. */
import { createTranscodeAgent, type TranscodeAgent } from '../../transcode-agent/agent.ts'
import { createFilmSources } from '../../transcode-agent/film-sources.ts'
import { createProof } from '../../transcode-agent/encoder-proof.ts'
import { createStartRead } from '../../transcode-agent/film-read.ts'
import { createFilmReader, type FilmReader } from '../../transcode-agent/film-reader.ts'
import { views } from '../../projections/views/all.ts'
import { KEEP_OLD_MS, runProjectors } from '../../projections/projector/projectors.ts'
import { findPrograms } from '../ffmpeg/ffmpeg-programs.ts'
import { tellUnconfined } from '../ffmpeg/confinement.ts'
import { createSystemIds } from '../adapters/node/ids.ts'
import type { Config } from '../config/config.ts'
import { openAgentEngines, openProjectorEngines, type AgentEngines, type ProjectorEngines } from './engines.ts'
import { awaitEngines } from './engines-awaited.ts'
import { programEnvironment } from './program-environment.ts'
import { nodeName } from '../process/node-name.ts'
import type { CreateProgram } from '../process/run-program.ts'
import { oneLine } from '../process/start-failure.ts'
import { slotsOf } from './transcode-slots.ts'

export const createProgram: CreateProgram = async (config) => {
  const name = nodeName(createSystemIds())
  const problem = (cause: unknown) => console.error(oneLine(cause))
  const parts: Part[] = []
  if (config.roles.includes('projector')) parts.push(projector(await openProjectorEngines({ config, name, problem }), problem))
  if (config.roles.includes('agent')) parts.push(agent(await openAgentEngines({ config, name, problem }), { config, name, problem }))
  const stopping = new AbortController()
  return {
    async start() {
      const lines: string[] = []
      for (const { engines, start } of parts) {
        await awaitEngines(engines.servers, { clock: engines.clock, tell: console.error, signal: stopping.signal })
        lines.push(await start())
      }
      return lines
    },
    async stop() {
      stopping.abort()
      for (const { engines, stop } of parts) {
        await stop()
        await engines.close()
      }
    },
  }
}

interface Part {
  readonly engines: AgentEngines
  /** Gives a line for a person. */
  start(this: void): Promise<string>
  stop(this: void): Promise<void>
}

function projector(engines: ProjectorEngines, problem: (cause: unknown) => void): Part {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    engines,
    async start() {
      running = runProjectors({ ...engines, views, problem, tell: console.log, keepOldMs: KEEP_OLD_MS }, stopping.signal)
      return `Marquee's projector is running: it keeps ${views.length} views, or waits until no other projector does.`
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

interface AgentPart {
  readonly config: Config
  readonly name: string
  readonly problem: (cause: unknown) => void
}

function agent(engines: AgentEngines, { config, name, problem }: AgentPart): Part {
  const { bus, clock } = engines
  const { apiUrl, pathMap } = config
  const roots = config.mediaRoots && [...config.mediaRoots, ...(pathMap ?? []).map(({ to }) => to)]
  const sources = createFilmSources({ apiUrl, pathMap, roots, clock })
  let running: TranscodeAgent | undefined
  let reader: FilmReader | undefined
  return {
    engines,
    async start() {
      const programs = await findPrograms(programEnvironment(config))
      tellUnconfined(problem)
      const slots = slotsOf(config)
      const { ffmpeg: ffmpegPath, version } = programs
      const prove = createProof({ ffmpegPath, clock })
      reader = createFilmReader({ bus, clock, start: createStartRead(programs), openSource: sources.open, problem })
      running = createTranscodeAgent({
        bus,
        clock,
        agentId: name,
        ffmpegPath,
        version,
        slots,
        prove,
        problem,
        tell: console.log,
        openSource: sources.open,
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
