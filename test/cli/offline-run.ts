/** Runs a command line in a folder of its own, on fake commands that stand in for the files of a data folder there. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import type { OperatorCommands } from '../../src/app/operator/operator-commands.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { RestoreBackup } from '../../src/process/restore.ts'
import { standInCommands } from '../fixtures/stand-in-commands.ts'

interface Given {
  readonly env?: Record<string, string>
  /** Further files of the folder. */
  readonly files?: Readonly<Record<string, string>>
  readonly answers?: Partial<OperatorCommands>
  readonly restoreBackup?: RestoreBackup
  readonly typed?: string
}

export async function run(t: { testdir(): string }, args: readonly string[], given: Given = {}) {
  const { env = {}, files = {}, answers, restoreBackup = none, typed } = given
  const folder = t.testdir()
  mkdirSync(join(folder, 'data'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const commands = standInCommands(answers)
  const lines: string[] = []
  const complaints: string[] = []
  const code = await runCommandLine({
    args,
    load: () => loadConfig({ env: { MARQUEE_DATA_DIR: join(folder, 'data'), ...env }, folder }),
    openOffline: async ({ folder: owned }) => ({ ...commands, close: async () => owned.release() }),
    openStopped: none,
    openLogCopy: none,
    restoreBackup,
    moveLog: none,
    askServers: async () => ({ asked: 0, away: [] }),
    readForeignHistory: none,
    terminal: { print: (line) => lines.push(line), complain: (line) => complaints.push(line), askHidden: async () => typed },
    clock: createSystemClock(),
    signal: new AbortController().signal,
    folder,
  })
  return { code, lines, complaints, asked: commands.asked, folder }
}

const none = (): Promise<never> => Promise.reject(new Error('not asked for'))
