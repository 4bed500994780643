/** A house for benchmarks: engines, services and background on the files of a data folder, without a server. */
import { join } from 'node:path'
import { startBackground } from '../../src/wiring/background.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import { openEngines, type EngineOptions } from '../../src/wiring/engines.ts'
import { createServices } from '../../src/wiring/services.ts'
import type { Streams } from '../../src/app/streaming/streams.ts'

export const SECRETS = ['the secret of this benchmark, long enough'] as const
export const AUTHOR = { actor: 'cli', command: 'bench' }

export type BenchHouse = Awaited<ReturnType<typeof openHouse>>

const EMBEDDED: EngineOptions['config'] = {
  eventLog: 'sqlite:',
  readStore: 'sqlite:',
  vault: 'sqlite:',
  bus: 'local:',
  cacheBytes: 10e9,
}

export async function openHouse(dataDir: string, config = EMBEDDED) {
  const problem = (cause: unknown): void => console.error(cause)
  const folder = ownDataFolder({ dataDir, blobs: join(dataDir, 'blobs') })
  if ('problem' in folder) throw new Error(folder.problem)
  const engines = await openEngines({ config, folder, name: 'bench', reads: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, problem })
  const streams = { offer: async () => ({ qualities: [], subtitles: [], audio: [], method: 'direct', reasons: [] }) } as unknown as Streams
  const services = createServices({
    engines,
    streams,
    node: 'bench',
    problem,
    secrets: SECRETS,
    idleSeconds: 120,
    mediaRoots: [],
    probeWidth: 1,
    urls: () => [],
  })
  const background = await startBackground(engines, services, { projects: true, problem })
  return {
    folder,
    engines,
    services,
    streams,
    background,
    async close(): Promise<void> {
      await services.scanRunner.close()
      await background.stop()
      await services.host.close()
      await engines.close()
      folder.release()
    },
  }
}
