/**
 * The server's process around a fake Marquee, whose behaviour is the first argument: `well`, `breaks` (at its start), `crashes` (later), or
 * `hangs` (at its stop).
 */
import { createServer } from 'node:net'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { loadConfig } from '../../src/config/load.ts'
import { guardProcess } from '../../src/process/guard.ts'
import type { CreateMarquee } from '../../src/process/marquee.ts'
import { runServer } from '../../src/process/run-server.ts'
import { standInCommands } from '../fixtures/stand-in-commands.ts'

const [behaviour] = process.argv.slice(2)
guardProcess()

const createMarquee: CreateMarquee = async ({ config }) => {
  const server = createServer()
  const listening = () =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, config.host, () => resolve((server.address() as { port: number }).port))
    })
  return {
    commands: standInCommands(),
    async start() {
      if (behaviour === 'breaks') throw new Error('the log\nis damaged')
      const port = await listening()
      if (behaviour === 'crashes') setTimeout(() => void Promise.reject(new Error('nobody caught this')), 10)
      const programs = { ffmpeg: '/usr/bin/ffmpeg', version: '5.1.9', source: 'path' } as const
      return { port, firstAdmin: { email: config.adminEmail, password: 'k7FqW2mZ9xRt' }, programs, checkpointKey: 'key' }
    },
    addMediaFolders: async (paths, name) => console.log(`folders ${paths.join(' ')} as ${name}`),
    reportScans: (tell) => tell('folders are scanned'),
    async stop() {
      if (behaviour === 'hangs') await new Promise(() => {})
      await new Promise((resolve) => server.close(resolve))
      console.log('closed')
    },
  }
}

const loaded = loadConfig({ env: process.env, folder: '/' })
if ('problems' in loaded) throw new Error(loaded.problems.join('\n'))
const args = { media: ['/media/films'], name: 'Films', help: false, version: false }
process.exit(await runServer({ config: loaded.config, args, createMarquee, clock: createSystemClock() }))
