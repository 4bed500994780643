/** Starts the server of a soak run in a process of its own, built as `npm start` runs it, with the inspector open. */
import { join, resolve } from 'node:path'
import { freePort } from '../fakes/server.ts'
import { SETTINGS, startProgram, type ServerProcess } from '../system/whole/server-process.ts'

export interface SoakServer extends ServerProcess {
  readonly inspectorPort: number
}

export interface SoakServerOptions {
  readonly dataDir: string
  readonly media: string
}

const ROOT = resolve(import.meta.dirname, '../..')
/** A player that vanishes is over soon, as the day of the household is short. */
const IDLE_SECONDS = 10
/** Less than the films have when they are copied, so that playing them once fills the caches: from then on they must stay as they are. */
export const CACHE_BYTES = 40_000_000
const MEMORY_CACHE_BYTES = 32_000_000

export async function startSoakServer({ dataDir, media }: SoakServerOptions): Promise<SoakServer> {
  const inspectorPort = await freePort()
  const server = await startProgram({
    program: process.execPath,
    args: [`--inspect=127.0.0.1:${inspectorPort}`, '--disable-warning=ExperimentalWarning', join(ROOT, 'src/main.ts'), '--media', media],
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      MARQUEE_HOST: '127.0.0.1',
      MARQUEE_PORT: '0',
      MARQUEE_DATA_DIR: dataDir,
      MARQUEE_WEBHOOK_ALLOW: '127.0.0.1',
      MARQUEE_SESSION_IDLE_SECONDS: String(IDLE_SECONDS),
      MARQUEE_CACHE_BYTES: String(CACHE_BYTES),
      MARQUEE_MEMORY_CACHE_BYTES: String(MEMORY_CACHE_BYTES),
      MARQUEE_LOG_LEVEL: 'error',
      ...SETTINGS,
    },
  })
  return { ...server, inspectorPort }
}
