/** Rules for every Marquee process: its files are readable only by their owner, and an uncaught error ends it with one line. */
import { isServerAwayInDriver } from './driver-rejection.ts'
import { endProcess } from './ending.ts'
import { oneLine } from './start-failure.ts'

/** At most this many different lines about drivers are printed, each once. */
const LINES_MAX = 20

export function guardProcess(): void {
  process.umask(0o077)
  const end = (cause: unknown) => {
    console.error(`Marquee is stopping after an unexpected error: ${oneLine(cause)}`)
    endProcess(1)
  }
  const printed = new Set<string>()
  const note = (cause: unknown): void => {
    if (!isServerAwayInDriver(cause)) end(cause)
    const line = `A call to a server failed inside its driver, and Marquee continues: ${oneLine(cause)}`
    if (printed.has(line) || printed.size >= LINES_MAX) return
    printed.add(line)
    console.error(line)
  }
  process.on('uncaughtException', end).on('unhandledRejection', note)
  // The reader of the output has gone (`npm start | head`): no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Call it after reading the settings: child processes must not inherit them, since some are secrets and films are untrusted input. */
export function hideSettings(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(env)) if (name.startsWith('MARQUEE_')) Reflect.deleteProperty(env, name)
}
