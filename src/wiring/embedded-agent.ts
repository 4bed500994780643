/** The transcode agent within a server's process. */
import { createTranscodeAgent } from '../../transcode-agent/agent.ts'
import { createProof } from '../../transcode-agent/encoder-proof.ts'
import { createStartRead } from '../../transcode-agent/media-read.ts'
import { createMediaReader } from '../../transcode-agent/media-reader.ts'
import type { Config } from '../config/config.ts'
import type { Programs } from '../ffmpeg/ffmpeg-programs.ts'
import type { ProgramsFound } from '../process/start-text.ts'
import type { Ports } from './ports.ts'
import { slotsOf } from './transcode-slots.ts'

export interface EmbeddedAgentParts {
  readonly ports: Pick<Ports, 'bus' | 'clock'>
  readonly node: string
  readonly programs: ProgramsFound & Partial<Programs>
  readonly onError: (cause: unknown) => void
}

export function createAgent({ ports: { bus, clock }, node, programs, onError }: EmbeddedAgentParts, config: Config) {
  const { ffmpeg: ffmpegPath, ffprobe } = pathsOf(programs)
  // Without ffmpeg there is nothing to test; the start-up text reports that.
  const prove = programs.ffmpeg === undefined ? undefined : createProof({ ffmpegPath, clock })
  const start = createStartRead({ ffmpeg: ffmpegPath, ffprobe })
  const reader = programs.ffmpeg === undefined ? undefined : createMediaReader({ bus, clock, start, onError })
  const agent = createTranscodeAgent({
    bus,
    clock,
    agentId: node,
    ffmpegPath,
    version: programs.version ?? '',
    slots: slotsOf(config),
    prove,
    onError,
    print: console.log,
  })
  return {
    async close() {
      await reader?.close()
      await agent.close()
    },
  }
}

/** If a program was not found its plain name stays: errors then appear for each file. */
export const pathsOf = (programs: Partial<Programs>) => ({ ffmpeg: programs.ffmpeg ?? 'ffmpeg', ffprobe: programs.ffprobe ?? 'ffprobe' })
