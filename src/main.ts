/** The server: `npm start -- [--media <folder>]... [--name <library>] [--help]`. */
import { createSystemClock } from './adapters/system/clock.ts'
import { loadConfig } from './config/load.ts'
import { readStartArguments } from './config/start-arguments.ts'
import { startHelp } from './config/start-help.ts'
import { fromCompiledCode } from './process/compiled-code.ts'
import { guardProcess } from './process/guard.ts'
import { runServer } from './process/run-server.ts'

guardProcess()
process.exit(await main())

async function main(): Promise<number> {
  const args = readStartArguments(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd())
  if ('problem' in args) return complain([args.problem], 2)
  if (args.help) {
    console.log(startHelp())
    return 0
  }
  const loaded = loadConfig({ env: process.env, folder: process.cwd() })
  if ('problems' in loaded) return complain(loaded.problems, 1)
  for (const warning of loaded.warnings) console.error(warning)
  // Loaded last, so that a wrong setting is answered at once.
  const createMarquee = fromCompiledCode(async () => (await import('./wiring.ts')).createMarquee)
  return runServer({ config: loaded.config, args, createMarquee, clock: createSystemClock() })
}

function complain(lines: readonly string[], exitCode: number): number {
  for (const line of lines) console.error(line)
  return exitCode
}
