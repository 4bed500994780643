/** What holds for every process of Marquee: its files are its owner's alone, and what nobody caught ends it in one line. */
import { oneLine } from './start-failure.ts'

export function guardProcess(): void {
  process.umask(0o077)
  const end = (cause: unknown) => {
    console.error(`Marquee ends because of an error that nobody expected: ${oneLine(cause)}`)
    process.exit(1)
  }
  process.on('uncaughtException', end).on('unhandledRejection', end)
  // Whoever read the output has gone (`npm start | head`): no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Once the settings are read: programs that this one starts get none of them, since some are secrets and films come from anywhere. */
export function hideSettings(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(env)) if (name.startsWith('MARQUEE_')) Reflect.deleteProperty(env, name)
}
