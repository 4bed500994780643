/** The server's process, or that of the roles that `MARQUEE_ROLES` names: from its arguments to its exit code. */
import { createSystemClock } from './adapters/node/clock.ts'
import { loadConfig } from './config/load.ts'
import { readStartArguments } from './config/start-arguments.ts'
import { startHelp } from './config/start-help.ts'
import { fromCompiledCode } from './process/compiled-code.ts'
import { guardProcess, hideSettings } from './process/guard.ts'
import { runProgram } from './process/run-program.ts'
import { runServer } from './process/run-server.ts'
import { VERSION } from './process/version.ts'
import { findReaders } from './wiring/readers.ts'

export async function main(): Promise<number> {
  guardProcess()
  const args = readStartArguments(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd())
  if ('problem' in args) return complain([args.problem], 2)
  if (args.help) {
    console.log(startHelp())
    return 0
  }
  if (args.version) {
    console.log(VERSION)
    return 0
  }
  const loaded = loadConfig({ env: process.env, folder: process.cwd() })
  if ('problems' in loaded) return complain(loaded.problems, 1)
  for (const warning of loaded.warnings) console.error(warning)
  const { config } = loaded
  hideSettings()
  const clock = createSystemClock()
  // Loaded last, so that a wrong setting is answered at once.
  if (!config.roles.includes('api')) {
    if (args.media.length > 0)
      return complain(['--media is for a process with the role api: give MARQUEE_ROLES api, or leave --media out.'], 2)
    const { createProgram } = await import('./wiring/programs.ts')
    return runProgram({ config, createProgram, clock })
  }
  // Found while the rest is loaded.
  const readers = findReaders(config)
  const createMarquee = fromCompiledCode(async () => {
    const wiring = await import('./wiring/wiring.ts')
    return (options) => wiring.createMarquee({ ...options, readers })
  })
  return runServer({ config, args, createMarquee, clock })
}

function complain(lines: readonly string[], exitCode: number): number {
  for (const line of lines) console.error(line)
  return exitCode
}
