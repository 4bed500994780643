/** Runs `npm run marquee -- <command>` as people do, in a separate process. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface CommandOutcome {
  readonly code: number
  readonly text: string
}

export function runMarquee(dataDir: string, ...args: readonly string[]): Promise<CommandOutcome> {
  const all = ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/cli.ts'), ...args]
  const env = { PATH: process.env['PATH'], INIT_CWD: process.cwd(), MARQUEE_DATA_DIR: dataDir }
  return new Promise((settle) => {
    const child = execFile(process.execPath, all, { env, cwd: dataDir, maxBuffer: 1e8 }, (_, stdout, stderr) =>
      settle({ code: child.exitCode ?? -1, text: stdout + stderr }),
    )
  })
}
