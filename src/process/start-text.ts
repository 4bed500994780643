/** Builds the start-up text for the person who has just started the server. Plain words, no colour. */
import { COMMAND_NAME, START_COMMAND } from '../config/command-names.ts'
import type { Programs } from '../ffmpeg/ffmpeg-programs.ts'
import type { LibraryLine } from '../app/operator/operator-commands.ts'
import { counted, printable } from './columns.ts'

/** The ffmpeg that reads and plays films, or the missing program and how to install it. */
export type ProgramsFound = Pick<Programs, 'ffmpeg' | 'version' | 'source'> | { readonly problem: string } | { readonly by: 'agents' }

export interface FirstAdmin {
  readonly email: string
  /** Set if it was generated at random: it is shown only this once. */
  readonly password?: string
}

export interface StartFacts {
  /** `http://localhost:8420`, and the addresses for other machines. */
  readonly addresses: readonly string[]
  readonly publicUrl: string | undefined
  /** The first account, if this start created it. */
  readonly firstAdmin: FirstAdmin | undefined
  /** The e-mail address of the only account, if an earlier start created it and nobody has signed in yet. */
  readonly unusedAccount?: string | undefined
  /** True if there is no account yet: the first person to sign up becomes the administrator. */
  readonly awaitsFirst?: boolean
  readonly dataFolder: string
  /** Settings of the event log and the vault that name a server; default: none. */
  readonly onServers?: readonly ('MARQUEE_EVENT_LOG' | 'MARQUEE_VAULT')[]
  readonly programs: ProgramsFound
  readonly libraries: readonly LibraryLine[]
  /** The host of the online metadata provider; undefined: none is used. */
  readonly onlineHost: string | undefined
  /** The public key that verifies the signatures of the log's checkpoints. */
  readonly checkpointKey: string
}

export function startText(facts: StartFacts): string {
  return [
    '',
    'Marquee is running.',
    '',
    ...addressLines(facts),
    ...(facts.firstAdmin ? ['', ...adminFrame(facts.firstAdmin)] : []),
    ...(facts.unusedAccount === undefined ? [] : ['', unusedLine(facts.unusedAccount)]),
    ...(facts.awaitsFirst
      ? ['', 'There is no account yet: the first person to sign up (POST /api/auth/sign-up/email) becomes the administrator.']
      : []),
    '',
    ...librariesOf(facts.libraries),
    programsLine(facts.programs),
    onlineLine(facts.onlineHost),
    backUpLine(facts),
    `Checkpoints of the audit log are signed with the key ${facts.checkpointKey}`,
    'Ctrl-C stops the server.',
    '',
  ].join('\n')
}

function addressLines({ addresses, publicUrl }: StartFacts): readonly string[] {
  const [first = ''] = addresses
  const all = publicUrl ? [...addresses, publicUrl] : addresses
  return [...all.map((address, index) => `${index === 0 ? 'Go to:  ' : '   or:  '}${address}`), `The API and how to use it: ${first}/docs`]
}

function adminFrame({ email, password }: FirstAdmin): readonly string[] {
  const lines = ['The first account:', `  e-mail    ${email}`]
  if (password === undefined) return framed([...lines, '  password  the one in MARQUEE_ADMIN_PASSWORD'])
  return framed([...lines, `  password  ${password}`, 'Write it down: it is not shown again.'])
}

/** The first start showed its password, unless it was killed before. */
const unusedLine = (email: string): string =>
  printable(`Nobody has signed in as ${email} yet. If its password is unknown, set one: ${COMMAND_NAME} user password ${email}`)

function framed(lines: readonly string[]): readonly string[] {
  const width = Math.max(...lines.map((line) => line.length))
  const edge = `+${'-'.repeat(width + 2)}+`
  return [edge, ...lines.map((line) => `| ${line.padEnd(width)} |`), edge]
}

function librariesOf(libraries: readonly LibraryLine[]): readonly string[] {
  if (libraries.length === 0) return [`No library yet. Start with \`${START_COMMAND} --media <folder>\` to add a folder of films.`]
  return libraries.map(libraryLine)
}

const STATES = { idle: '', scanning: ', being scanned now', offline: ', not all of its folders can be reached' } as const

function libraryLine({ name, state, movieCount, missingCount, roots }: LibraryLine): string {
  const missing = missingCount > 0 ? `, ${missingCount} missing` : ''
  return printable(
    `Library ${name}: ${counted(movieCount, 'film')}${missing}${STATES[state]} (${roots.map(({ path }) => path).join(', ')})`,
  )
}

const SOURCES: Readonly<Record<Programs['source'], string>> = { configured: ', as configured', path: '', packaged: ', the packaged one' }

function programsLine(programs: ProgramsFound): string {
  if ('by' in programs) return 'Films are read by transcode agents.'
  if ('problem' in programs) return `Films cannot be read yet: ${programs.problem}`
  return `Films are read with ffmpeg ${programs.version} (${programs.ffmpeg}${SOURCES[programs.source]}).`
}

function onlineLine(host: string | undefined): string {
  if (host === undefined) return 'Online metadata is off: a key of The Movie Database in MARQUEE_TMDB_KEY turns it on.'
  return `Online metadata is on: films are looked up at ${host}.`
}

const KEPT = { MARQUEE_EVENT_LOG: 'the event log', MARQUEE_VAULT: 'the vault' } as const

/** Names the places that cannot be rebuilt from others. */
function backUpLine({ dataFolder, onServers = [] }: StartFacts): string {
  if (onServers.length === 0) return `Everything is kept in ${dataFolder}: back that folder up.`
  const servers = onServers.map((setting) => `${KEPT[setting]} on its server (${setting})`)
  if (onServers.length === Object.keys(KEPT).length) {
    return `Back up ${servers.join(' and ')}; everything in ${dataFolder} can be rebuilt.`
  }
  return `Back up ${[`the folder ${dataFolder}`, ...servers].join(' and ')}.`
}
