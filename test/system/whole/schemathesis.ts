/**
 * Runs schemathesis, which generates requests from an API description and checks the responses against it. It is a Python program: found
 * at MARQUEE_SCHEMATHESIS or on the PATH.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** Path parameters of an operation, `METHOD /path`, which override schemathesis's choices. */
export type Places = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Run {
  readonly program: string
  readonly url: string
  /** Folder of its files. */
  readonly folder: string
  readonly description: string
  readonly token?: string
  readonly places?: Places
  /** Operations to leave out or, with `only`, to run: `METHOD /path`. */
  readonly leaveOut?: readonly string[]
  readonly only?: readonly string[]
  /** Its phases, separated by commas. */
  readonly phases: string
  /** Cases of the random phase for each operation; the same in every run. */
  readonly examples: number
}

export interface Outcome {
  readonly exitCode: number | undefined
  readonly text: string
  /** Number of requests. */
  readonly cases: number
  readonly operations: number
}

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
const REQUEST_S = 10
const RUN_MS = 900_000
const VERSION_MS = 30_000

/** The program's path; undefined if it is not installed. */
export async function findSchemathesis(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const program = env['MARQUEE_SCHEMATHESIS'] ?? 'schemathesis'
  const { exitCode } = await execa(program, ['--version'], { reject: false, timeout: VERSION_MS })
  return exitCode === 0 ? program : undefined
}

export async function run({
  program,
  url,
  folder,
  description,
  token,
  places = {},
  leaveOut = [],
  only = [],
  phases,
  examples,
}: Run): Promise<Outcome> {
  const config = join(folder, 'schemathesis.toml')
  const file = join(folder, 'openapi.json')
  await writeFile(config, configuration(places))
  await writeFile(file, description)
  const args = ['--config-file', config, 'run', file, '--url', url, '--phases', phases, '--checks', CHECKS.join(',')]
  const bounds = ['--max-examples', `${examples}`, '--request-timeout', `${REQUEST_S}`, '--generation-deterministic', '--no-shrink']
  const names = [...leaveOut.flatMap((name) => ['--exclude-name', name]), ...only.flatMap((name) => ['--include-name', name])]
  const header = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]
  const looks = ['--continue-on-failure', '--no-color', '--warnings', 'off']
  const { exitCode, all } = await execa(program, [...args, ...bounds, ...names, ...header, ...looks], {
    cwd: folder,
    // Set by tap; it would override --no-color.
    env: { FORCE_COLOR: undefined },
    all: true,
    reject: false,
    timeout: RUN_MS,
  })
  const count = (pattern: RegExp) => Number(pattern.exec(all)?.[1] ?? 0)
  return { exitCode, text: all, cases: count(/(\d+) generated/), operations: count(/Tested: (\d+)/) }
}

/**
 * Operations whose only failures are that a stored change was not visible within two seconds, which is described and which a busy machine
 * may need; empty if anything else failed.
 */
export function lateOperations(text: string): readonly string[] {
  const [, ...sections] = text.split(/^_{3,} (?=[A-Z]+ \/)/m)
  const late = sections.map((section) => ({
    name: /^([A-Z]+ \S+) _{3,}$/m.exec(section)?.[1] ?? '',
    isLate: (section.match(/^ *- ST\d+/gm) ?? []).length === (section.match(/`\{"error":"Stored, but not visible yet"\}`/g) ?? []).length,
  }))
  return late.every(({ isLate, name }) => isLate && name !== '') ? late.map(({ name }) => name) : []
}

function configuration(places: Places): string {
  return Object.entries(places)
    .map(([name, values]) => {
      const members = Object.entries(values).map(([key, value]) => `${JSON.stringify(`path.${key}`)} = ${JSON.stringify(value)}`)
      return `[[operations]]\ninclude-name = ${JSON.stringify(name)}\nparameters = { ${members.join(', ')} }\n`
    })
    .join('\n')
}
