/** The completion scripts, in the shells that there are. */
import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { COMMANDS, parseCall } from '../../src/cli/command-table.ts'
import type { AloneCall } from '../../src/cli/command.ts'
import { findProgram, tellMissing } from '../fixtures/programs.ts'

async function scriptOf(
  shell: string,
): Promise<{ readonly code: number; readonly lines: readonly string[]; readonly complaints: readonly string[] }> {
  const call = parseCall(['completion', shell])
  if ('problem' in call || !call.command.isAlone) throw new Error('completion needs nothing else')
  const [lines, complaints] = [new Array<string>(), new Array<string>()]
  const terminal = {
    print: (line: string) => lines.push(line),
    complain: (line: string) => complaints.push(line),
    askHidden: async () => undefined,
  }
  const code = await call.command.run({ ...call, terminal } as unknown as AloneCall)
  return { code, lines, complaints }
}

/** In each shell a script that defines `try`, which completes a line; the last word is the one at the cursor. */
const SHELLS: Readonly<Record<string, { readonly args: readonly string[]; readonly prelude: string }>> = {
  bash: {
    args: ['-c'],
    prelude: 'try() { COMP_WORDS=(marquee "$@"); COMP_CWORD=$#; _marquee; printf "%s\\n" "${COMPREPLY[@]}"; echo ---; }',
  },
  // Its own functions answer only in a line editor: these print what they are given.
  zsh: {
    args: ['-fc'],
    prelude:
      'compadd() { shift; print -l -- "$@" }; _files() { print "(files)" }; try() { words=(marquee "$@"); CURRENT=$#words; _marquee; print -- --- }',
  },
  fish: { args: ['--no-config', '-c'], prelude: 'function try; complete -C "marquee $(string join " " -- $argv)"; echo ---; end' },
}

/** What each of these lines is completed to, in one process. */
async function completed(shell: string, program: string, file: string, lines: readonly Line[]): Promise<readonly (readonly string[])[]> {
  const { args, prelude } = SHELLS[shell] ?? { args: [], prelude: '' }
  const tries = lines.map(({ words }) => `try ${words.map((word) => `'${word}'`).join(' ')}`)
  const { stdout } = await execa(program, [...args, [`source ${file}`, prelude, ...tries].join('\n')])
  const found = stdout.split(/^---$/m).map((part) => part.split('\n').map((line) => line.split('\t', 1)[0] ?? ''))
  return found.map((part) => part.filter((line) => line !== ''))
}

interface Line {
  readonly words: readonly string[]
  readonly wanted: readonly string[]
  readonly unwanted?: readonly string[]
}

const firstOf = (words: string): string => words.split(' ', 1)[0] ?? ''
const groups = [...new Set(COMMANDS.filter(({ words }) => words.includes(' ')).map(({ words }) => firstOf(words)))]

const LINES: readonly Line[] = [
  { words: [''], wanted: ['help', ...COMMANDS.map(({ words }) => firstOf(words))], unwanted: ['add', 'bash'] },
  ...groups.map((group) => ({
    words: [group, ''],
    wanted: COMMANDS.flatMap(({ words }) => (words.startsWith(`${group} `) ? [words.split(' ')[1] ?? ''] : [])),
  })),
  ...COMMANDS.filter(({ printsScript }) => !printsScript).map(({ words, options = [], lists = [], flags = [] }) => ({
    words: [...words.split(' '), '--'],
    wanted: [...options, ...lists, ...flags, 'json'].map((name) => `--${name}`),
  })),
  { words: ['user', 'add', '--role', ''], wanted: ['admin', 'user'], unwanted: ['list'] },
  { words: ['import', ''], wanted: ['undo', 'jellyfin'] },
  { words: ['import', 'undo', '--'], wanted: ['--json'], unwanted: ['--dry-run'] },
  { words: ['completion', 'bash', '--'], wanted: [], unwanted: ['--json'] },
  { words: ['backup', '--keep', '3', '--'], wanted: ['--passphrase-file'], unwanted: ['--data'] },
  { words: ['completion', ''], wanted: ['bash', 'zsh', 'fish'] },
]

for (const shell of Object.keys(SHELLS)) {
  t.test(`${shell} completes every command, its options and what they can be`, async (t) => {
    const { code, lines } = await scriptOf(shell)
    t.equal(code, 0)
    const program = findProgram(shell)
    if (program === undefined) return tellMissing(t, shell)
    const file = join(t.testdir(), 'script')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const found = await completed(shell, program, file, LINES)
    for (const [n, { words, wanted, unwanted = [] }] of LINES.entries()) {
      for (const one of wanted) t.ok(found[n]?.includes(one), `${words.join(' ')}: ${one}`)
      for (const one of unwanted) t.notOk(found[n]?.includes(one), `${words.join(' ')}: not ${one}`)
    }
  })
}

t.test('a shell that is not known is a complaint', async (t) => {
  t.match(await scriptOf('csh'), { code: 2, lines: [], complaints: [/csh is no shell .*: bash, zsh, fish/] })
})
