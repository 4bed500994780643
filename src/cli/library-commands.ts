/** Implements `library list`, `library add` and `library scan`. */
import { resolve } from 'node:path'
import { isRefusal } from '../domain/refusal.ts'
import type { LibraryLine, ScanStep, ScanSummary } from '../app/operator/operator-commands.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, printData, printProgress } from './command.ts'
import { columns, counted, printable } from '../process/columns.ts'

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
  const [name = '', ...paths] = call.rest
  const made = await commands.addLibrary({ name, paths: paths.map((path) => resolve(folder, path)) })
  if (isRefusal(made)) {
    terminal.complain(made.message)
    return NOT_DONE
  }
  printData(call, made, () => [`Made the library ${name}, ${made.id}.`])
  return DONE
}

async function scanLibrary(call: Call): Promise<number> {
  const { commands, terminal, rest, signal } = call
  const summary = await commands.scanLibrary(rest.join(' '), stepSayer(call), signal)
  if (isRefusal(summary)) {
    terminal.complain(summary.message)
    return NOT_DONE
  }
  printData(call, summary, () => summaryLines(summary))
  return summary.state === 'completed' ? DONE : NOT_DONE
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
