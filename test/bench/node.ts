/** A node for benchmarks: engines, services and background tasks on the files of a data folder, without an HTTP server. */
import { join } from 'node:path'
import { startNodeTasks } from '../../src/wiring/node-tasks.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import { openPorts, type PortOptions } from '../../src/wiring/ports.ts'
import { createServices } from '../../src/wiring/services.ts'
import type { HttpConfig } from '../../src/http/server.ts'
import { NO_STREAMS } from '../fixtures/node-fixture.ts'
import { createNodeServer } from '../fixtures/serve-node.ts'
import type { Streams } from '../../src/app/streaming/stream-service.ts'
import type { ScryptCost } from '../../src/ports/scrypt.ts'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'

export const SECRETS = ['the secret of this benchmark, long enough'] as const
export const AUTHOR = { actor: 'cli', command: 'bench' }

/** Its HTTP server, without a limit of requests. Does not listen yet. */
export const createBenchServer = ({ ports, services, streams, background }: BenchFixture, config: Pick<HttpConfig, 'webFolder'> = {}) =>
  createNodeServer({
    services: { ...services, streams },
    ports,
    ready: background.readiness,
    config: { secrets: SECRETS, rateLimit: 1e9, version: '0', ...config },
  })

export type BenchFixture = Awaited<ReturnType<typeof openNodeFixture>>

const EMBEDDED: PortOptions['config'] = {
  eventLog: 'sqlite:',
  readStore: 'sqlite:',
  vault: 'sqlite:',
  bus: 'local:',
  cacheBytes: 10e9,
}

/** @param passwordCost default: that of the server */
export async function openNodeFixture(dataDir: string, passwordCost?: ScryptCost) {
  const onError = (cause: unknown): void => console.error(cause)
  const folder = ownDataFolder({ dataDir, blobs: join(dataDir, 'blobs') })
  if ('problem' in folder) throw new Error(folder.problem)
  const ports = await openPorts({ config: EMBEDDED, folder, name: 'bench', reads: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, onError })
  const streams = NO_STREAMS as Streams
  const services = createServices({
    ports,
    streams,
    node: 'bench',
    onError,
    secrets: SECRETS,
    idleSeconds: 120,
    mediaRoots: [],
    probeWidth: 1,
    urls: () => [],
    ...omitUndefined({ passwordCost }),
  })
  const background = await startNodeTasks(ports, services, { projects: true, onError })
  return {
    folder,
    ports,
    services,
    streams,
    background,
    async close(): Promise<void> {
      await services.scanRunner.close()
      await background.stop()
      await services.host.close()
      await ports.close()
      folder.release()
    },
  }
}
