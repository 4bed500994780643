/** Several streaming engines, each like on a separate node with an agent, on a bus in this process or over NATS. */
import { createMemoryTextReader } from '../../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../../src/app/derived-media/text-reading.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSplitBus } from '../../../src/adapters/nats/split-bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createStreamingEngine } from '../../../src/app/streaming/engine.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { Bus } from '../../../src/ports/bus.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Leases } from '../../../src/ports/leases.ts'
import { createTranscodeAgent } from '../../../transcode-agent/agent.ts'
import { programs } from '../../fixtures/media-files.ts'
import { sourceAt } from '../engine-fixture.ts'

/** A program's connection to the others. */
export interface Connected {
  readonly bus: Bus
  readonly leases: Leases
  close(): Promise<void>
}
export type Connect = (name: string, clock: Clock) => Connected

export type Ports = Awaited<ReturnType<typeof openPorts>>

export function inProcess(): Connect {
  const table = createLeaseTable()
  let shared: Bus | undefined
  return (_, clock) => {
    const bus = (shared ??= createLocalBus({ clock }))
    const leases = createMemoryLeases({ clock, table })
    return { bus, leases, close: () => leases.close() }
  }
}

export function overNatsAt(url: string): Connect {
  return (name, clock) => {
    const connection = connectNats({ url, name, clock, onError: () => undefined })
    const bus = createSplitBus({ connection, clock, words: ['stream', 'rendition'] })
    const leases = createNatsLeases({ connection, clock, bus, name })
    async function close(): Promise<void> {
      for (const one of [leases, bus, connection]) await one.close()
    }
    return { bus, leases, close }
  }
}

export async function openPorts(connect: Connect, count = 2) {
  const { ffmpeg, ffprobe } = await programs
  const folder = mkdtempSync(join(tmpdir(), 'marquee-engines-'))
  const [clock, ids] = [createSystemClock(), createSystemIds()]
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: folder })
  const reader = createMemoryTextReader(textReading)
  const texts = createTextTracks({ clock, folder: join(folder, 'texts'), start: mediaFfmpeg(ffmpeg) })
  const [beside, ...lines] = ['agent', ...Array.from({ length: count }, (_, index) => `node-${index}`)].map((name) => connect(name, clock))
  const agent = createTranscodeAgent({ bus: beside!.bus, clock, agentId: 'here', ffmpegPath: ffmpeg, slots: 4 })
  const engines = lines.map(({ bus, leases }, index) =>
    createStreamingEngine({
      bus,
      leases,
      clock,
      ids,
      media,
      texts,
      reader,
      node: `node-${index}`,
      signSource: () => '',
      answerWithinMs: 30_000,
    }),
  )
  // The clock's timers keep no process alive: a test that waits for nothing else would end.
  const awake = setInterval(() => undefined, 1_000)
  return {
    engines,
    lines,
    source: (path: string) => sourceAt(media, path),
    async close(): Promise<void> {
      clearInterval(awake)
      await Promise.all(engines.map((engine) => engine.close()))
      await agent.close()
      await Promise.all([beside!, ...lines].map((line) => line.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
