/** Runs a process with a single role, from its settings to its exit code. */
import { createSystemClock } from '../adapters/node/clock.ts'
import { loadConfig } from '../config/load.ts'
import { guardProcess, hideSettings } from './guard.ts'
import { runProgram, type CreateProgram } from './run-program.ts'

/** `load` returns the wiring; it is called only after the settings have been validated. */
export async function runRole(role: 'projector' | 'agent', load: () => Promise<CreateProgram>): Promise<number> {
  guardProcess()
  const loaded = loadConfig({ env: { ...process.env, MARQUEE_ROLES: role }, folder: process.cwd() })
  if ('problems' in loaded) {
    for (const line of loaded.problems) console.error(line)
    return 1
  }
  for (const warning of loaded.warnings) console.error(warning)
  hideSettings()
  return runProgram({ config: loaded.config, createProgram: await load(), clock: createSystemClock() })
}
