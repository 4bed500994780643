/** Implements `import` and `import undo`: imports the watch history of another program. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRefusal, type Refusal } from '../domain/refusal.ts'
import { FOREIGN_PROGRAMS, type ForeignHistory, type ForeignProgram, type ForeignWatch } from '../ports/foreign-history.ts'
import { columns, counted, printable } from '../process/columns.ts'
import { COMMAND_NAME } from '../config/command-names.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, printProgress, report } from './command.ts'
import { guessUsers, readUsers, writeUsers, type UserMap } from './import-users.ts'

export const importCommands: readonly Command[] = [
  {
    words: 'import undo',
    usage: '<email or id> <import id>',
    summary: 'takes back all that an import brought, and nothing else',
    takes: [2, 2],
    run: undo,
  },
  {
    words: 'import',
    usage: `${FOREIGN_PROGRAMS.join('|')} <database or export> [--dry-run] [--users <file>] [--user <email or id>]`,
    summary:
      'imports what people watched there; --dry-run shows what would be imported, and writes the file for --users, which maps people to users',
    takes: [2, 2],
    options: ['users', 'user'],
    flags: ['dry-run'],
    choices: { first: FOREIGN_PROGRAMS },
    run: importFrom,
  },
]

/** Items per request. */
const PAGE = 200
/** At most this many items without a movie are listed. */
const NAMED_MAX = 20

async function importFrom(call: Call): Promise<number> {
  const { rest, folder, options, flags } = call
  const [program = '', file = ''] = rest
  if (!isProgram(program)) return misused(call, `${program} is no program that can be read: ${FOREIGN_PROGRAMS.join(', ')}.`)
  if (options['users'] !== undefined && options['user'] !== undefined) return misused(call, 'Give --users or --user, not both.')
  const dryRun = flags.has('dry-run')
  const history = await call.readForeignHistory(program, resolve(folder, file))
  const { description, users, watches, undated } = history
  printProgress(call, `${description}: ${counted(watches.length, 'viewing')} of ${counted(users.length, 'user')}.`)
  if (undated > 0) printProgress(call, `${counted(undated, 'movie')} marked as watched at no known time: left out.`)
  const accounts = await accountsFor(call, program, history)
  if (!accounts) return NOT_DONE
  const leftOut = users.filter(({ id }) => !accounts.has(id)).map(({ name }) => printable(name))
  if (leftOut.length > 0) printProgress(call, `Left out, because they have no account here: ${leftOut.join(', ')}.`)
  const imports: ImportedFor[] = []
  for (const { id, name } of users) {
    const user = accounts.get(id)
    if (user === undefined) continue
    const own = watches.filter((watch) => watch.user === id)
    const done = await importFor(call, { user, name, program, dryRun }, own)
    if (isRefusal(done)) return refused(call, done)
    for (const line of importedLines(done, dryRun)) printProgress(call, line)
    imports.push(done)
  }
  printData(call, { dryRun, undated, leftOut, imports }, () => [])
  return DONE
}

const isProgram = (name: string): name is ForeignProgram => FOREIGN_PROGRAMS.some((one) => one === name)

/** Accounts from the file; without one they are guessed. A dry run writes the guess down; otherwise the guess must be complete. */
async function accountsFor(call: Call, program: ForeignProgram, { users }: ForeignHistory): Promise<UserMap | undefined> {
  const { commands, folder, options, terminal, flags } = call
  if (options['user'] !== undefined) return accountOfOne(call, users, options['user'])
  const file = resolve(folder, options['users'] ?? `marquee-import-${program}.json`)
  if (options['users'] !== undefined && existsSync(file)) return readUsers(file)
  if (options['users'] !== undefined && !flags.has('dry-run')) {
    terminal.complain(`There is no file ${file}: run it once with --dry-run, which writes it.`)
    return undefined
  }
  const lines = guessUsers(users, await commands.listUsers())
  if (flags.has('dry-run')) {
    for (const line of columns([['USER THERE', 'ACCOUNT HERE'], ...lines.map(({ name, account }) => [name, account ?? '-'])]))
      printProgress(call, line)
    if (writeUsers(file, lines)) printProgress(call, `Written to ${file}: correct it, and import with --users ${file}.`)
    else printProgress(call, `${file} is there already and stays as it is.`)
  } else if (lines.some(({ account }) => account === null)) {
    terminal.complain(`Whose history is whose? Run it once with --dry-run, correct the file that it writes, and give it with --users.`)
    return undefined
  }
  return new Map(lines.flatMap(({ id, account }) => (account === null ? [] : [[id, account] as const])))
}

function accountOfOne({ terminal }: Call, users: ForeignHistory['users'], account: string): UserMap | undefined {
  const [only, other] = users
  if (only && other) {
    terminal.complain(`There are ${users.length} users: say with --users whose history is whose.`)
    return undefined
  }
  return new Map(only ? [[only.id, account]] : [])
}

interface Target {
  readonly user: string
  readonly name: string
  readonly program: ForeignProgram
  readonly dryRun: boolean
}

interface Unmatched {
  readonly film: string
  readonly reason: keyof typeof REASONS
}

interface ImportedFor {
  readonly name: string
  readonly user: string
  /** For `import undo`; null if there was nothing to import. */
  readonly importId: string | null
  readonly imported: number
  readonly known: number
  readonly unmatched: readonly Unmatched[]
}

async function importFor(
  call: Call,
  { user, name, program: source, dryRun }: Target,
  watches: readonly ForeignWatch[],
): Promise<ImportedFor | Refusal> {
  const { commands, signal } = call
  let importId: string | null = null
  let imported = 0
  let known = 0
  const unmatched: Unmatched[] = []
  for (let n = 0; n < watches.length; n += PAGE) {
    signal.throwIfAborted()
    const page = watches.slice(n, n + PAGE)
    const result = await commands.importHistory({ user, source, importId, dryRun, items: page.map(itemOf) })
    if (isRefusal(result)) return result
    importId = result.importId
    imported += result.imported
    known += result.known
    for (const { index, reason } of result.unmatched) unmatched.push({ film: filmOf(page[index]), reason })
    if (n + PAGE < watches.length) printProgress(call, `${n + PAGE} of ${watches.length}`)
  }
  return { name, user, importId, imported, known, unmatched }
}

function importedLines({ name, user, importId, imported, known, unmatched }: ImportedFor, dryRun: boolean): readonly string[] {
  const would = dryRun ? 'would be ' : ''
  const end = `${imported} ${would}imported, ${known} known before, ${unmatched.length} without a movie here.`
  const lines = [`${printable(name)} -> ${user}: ${end}`]
  for (const { film, reason } of unmatched.slice(0, NAMED_MAX)) lines.push(`  ${film}: ${REASONS[reason]}`)
  if (unmatched.length > NAMED_MAX) lines.push(`  and ${unmatched.length - NAMED_MAX} more`)
  if (importId === null || imported + unmatched.length === 0) return lines
  if (unmatched.length > 0) lines.push('  They are imported when the movie appears.')
  return [...lines, `  To take it back: ${COMMAND_NAME} import undo ${user} ${importId}`]
}

function itemOf({ user: _user, ...item }: ForeignWatch): Omit<ForeignWatch, 'user'> {
  return item
}

const REASONS = { not_found: 'there is no such movie', ambiguous: 'several movies fit' } as const

function filmOf(watch: ForeignWatch | undefined): string {
  const { title = null, year = null, tmdb = null, imdb = null } = watch ?? {}
  return printable(`${title ?? `tmdb ${tmdb ?? '-'}, imdb ${imdb ?? '-'}`}${year === null ? '' : ` (${year})`}`)
}

async function undo(call: Call): Promise<number> {
  const [user = '', importId = ''] = call.rest
  const refusal = await call.commands.undoImport({ user, importId })
  if (refusal) return refused(call, refusal)
  return report(call, null, `The import ${importId} of ${user} is undone.`)
}

function refused({ terminal }: Call, { message, path }: Refusal): number {
  terminal.complain(path === undefined ? message : `${message} (${path})`)
  return NOT_DONE
}

function misused({ terminal }: Call, line: string): number {
  terminal.complain(line)
  return NOT_UNDERSTOOD
}
