/** The command line: `npm run marquee -- <command>`. */
import { createSystemClock } from './adapters/node/clock.ts'
import { NOT_DONE } from './cli/command.ts'
import { runCommandLine } from './cli/run.ts'
import { createTerminal, outputWritten } from './cli/terminal.ts'
import { loadConfig } from './config/load.ts'
import { endProcess } from './process/ending.ts'
import { guardProcess } from './process/guard.ts'

guardProcess()

const stopped = new AbortController()
// Once: a second Ctrl-C ends the process as it would without this.
process.once('SIGINT', () => stopped.abort())

const code = await runCommandLine({
  args: process.argv.slice(2),
  load: () => loadConfig({ env: process.env, folder: process.cwd() }),
  openOffline: async (options) => (await import('./wiring/wiring.ts')).openOffline(options),
  openStopped: async (options) => (await import('./wiring/log-copy.ts')).openStopped(options),
  openLogCopy: async (file) => (await import('./wiring/log-copy.ts')).openLogCopy(file),
  restoreBackup: async (ask) => (await import('./wiring/restore-backup.ts')).restoreBackup(ask),
  moveLog: async (ask) => (await import('./wiring/move-log.ts')).moveLog(ask),
  askServers: async (config) => (await import('./wiring/ask-servers.ts')).askServers(config),
  readForeignHistory: async (program, file) =>
    (await import('./adapters/foreign-history/read-foreign-history.ts')).readForeignHistory(program, file),
  terminal: createTerminal(),
  clock: createSystemClock(),
  signal: stopped.signal,
  folder: process.env['INIT_CWD'] ?? process.cwd(),
})
const incomplete = await outputWritten()
if (incomplete !== undefined) console.error(incomplete)
endProcess(incomplete === undefined ? code : NOT_DONE)
