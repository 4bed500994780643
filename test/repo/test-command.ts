import { join } from 'node:path'

const { NODE_OPTIONS } = process.env
/** tap brings hooks into what it starts by this variable. */
const WITHOUT_HOOKS = NODE_OPTIONS === undefined ? ['-u', 'NODE_OPTIONS'] : [`NODE_OPTIONS=${NODE_OPTIONS}`]

/** Arguments of `env` for `t.spawn`: they start a program of this folder, which runs test files. */
export const testCommand = (program: 'alone.ts' | 'together.ts', ...args: readonly string[]): string[] => [
  ...WITHOUT_HOOKS,
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, program),
  ...args,
]
