/** A process that runs one role alone, from its settings to its exit code. */
import { createSystemClock } from '../adapters/node/clock.ts'
import { loadConfig } from '../config/load.ts'
import { guardProcess, hideSettings } from './guard.ts'
import { runProgram } from './run-program.ts'

export async function runRole(role: 'projector' | 'agent'): Promise<number> {
  guardProcess()
  const loaded = loadConfig({ env: { ...process.env, MARQUEE_ROLES: role }, folder: process.cwd() })
  if ('problems' in loaded) {
    for (const line of loaded.problems) console.error(line)
    return 1
  }
  for (const warning of loaded.warnings) console.error(warning)
  hideSettings()
  const { createProgram } = await import('../wiring/programs.ts')
  return runProgram({ config: loaded.config, createProgram, clock: createSystemClock() })
}
