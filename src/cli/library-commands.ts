/** Implements `library list`, `library add` and `library scan`. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRefusal } from '../domain/refusal.ts'
import type { LibraryLine, ScanStep, ScanSummary } from '../app/operator/operator-commands.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, printData, printProgress } from './command.ts'
import { findLibrary } from './find-named.ts'
import { columns, counted, printable } from '../process/columns.ts'
import { fileReason } from '../vocabulary/file-reason.ts'

export const libraryCommands: readonly Command[] = [
  {
    words: 'library list',
    usage: '',
    summary: 'lists the libraries with their folders',
    takes: [0, 0],
    run: listLibraries,
  },
  {
    words: 'library add',
    usage: '<name> <folder>...',
    summary: 'creates a library of these folders; `library scan` then reads them',
    takes: [2, 51],
    run: addLibrary,
  },
  {
    words: 'library scan',
    usage: '<name or id>',
    summary: 'scans for new, changed and missing films, and waits until the end',
    takes: [1, 50],
    run: scanLibrary,
  },
]

async function listLibraries(call: Call): Promise<number> {
  const libraries = await call.commands.listLibraries()
  const rows = libraries.map((library) => [library.id, library.name, library.state, movies(library), folders(library)])
  printData(call, { libraries }, () =>
    rows.length > 0
      ? columns([['ID', 'NAME', 'STATE', 'FILMS', 'FOLDERS'], ...rows])
      : ['There is no library yet. `library add <name> <folder>` makes one.'],
  )
  return DONE
}

const movies = ({ movieCount, missingCount }: LibraryLine) =>
  missingCount > 0 ? `${movieCount} (${missingCount} missing)` : String(movieCount)
const folders = ({ roots }: LibraryLine) => roots.map(({ path, available }) => (available ? path : `${path} (not there)`)).join(', ')

async function addLibrary(call: Call): Promise<number> {
  const { commands, terminal, folder } = call
  const [name = '', ...given] = call.rest
  const paths = given.map((path) => resolve(folder, path))
  const made = await commands.addLibrary({ name, paths })
  if (isRefusal(made)) {
    terminal.complain(made.message)
    return NOT_DONE
  }
  printData(call, made, () => [`Made the library ${name}, ${made.id}.`])
  for (const problem of paths.flatMap((path) => problemOf(path) ?? [])) terminal.complain(problem)
  return DONE
}

/** A drive may be away, so a folder that is not there is accepted; but it may also be a typing error. */
function problemOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found) return found.isDirectory() ? undefined : `${path} is not a folder: no film is found there.`
    return `${path} does not exist at the moment: its films are found when it is there.`
  } catch (cause) {
    return `${path} cannot be read at the moment: ${fileReason(cause)}.`
  }
}

async function scanLibrary(call: Call): Promise<number> {
  const { commands, terminal, rest, signal } = call
  const named = rest.join(' ')
  const summary = await commands.scanLibrary(named, stepSayer(call), signal)
  if (isRefusal(summary)) {
    terminal.complain(summary.message)
    return NOT_DONE
  }
  const away = summary.error === ROOT_UNAVAILABLE ? await foldersAway(call, named) : ''
  printData(call, summary, () => summaryLines({ ...summary, error: away || summary.error }))
  return summary.state === 'completed' ? DONE : NOT_DONE
}

const ROOT_UNAVAILABLE = 'root_unavailable'

/** What the scan has missed, and what to do, without a full stop. Empty if it is back. */
async function foldersAway(call: Call, named: string): Promise<string> {
  const library = await findLibrary(call, named)
  const paths = library?.roots.flatMap(({ path, available }) => (available ? [] : [path])) ?? []
  if (paths.length === 0) return ''
  const [are, it] = paths.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${paths.join(', ')} ${are} not there. Mount the drive, or name other folders in the library's settings, and scan again. Until then no film below ${it} counts as missing`
}

/** Prints a step only if its state or its tenth of the progress has changed. */
function stepSayer(call: Call): (step: ScanStep) => void {
  let printed = ''
  return ({ state, done, total }) => {
    const tenth = total ? Math.floor((10 * done) / total) : 0
    const key = `${state} ${tenth}`
    if (key !== printed) printProgress(call, total ? `${state}: ${done} of ${total}` : state)
    printed = key
  }
}

function summaryLines({ state, counts, errors, error }: ScanSummary): readonly string[] {
  const parts = [
    counted(counts.seen, 'file'),
    `${counts.added} new`,
    `${counts.updated} changed`,
    `${counts.missing} missing`,
    `${counts.restored} back again`,
    counted(counts.errors, 'problem'),
  ]
  const end = error ? `The scan is ${state}: ${error}.` : `The scan is ${state}: ${parts.join(', ')}.`
  return [end, ...errors.map(({ file, message }) => printable(`  ${file}: ${message}`))]
}
