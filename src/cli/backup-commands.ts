/** `backup` and `restore`. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import type { BackupSummary } from '../app/backup/backups.ts'
import { isRefusal } from '../domain/refusal.ts'
import { counted } from '../process/columns.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, printProgress, type BareCall, type Call, type Command } from './command.ts'
import { readGivenFile } from './given-file.ts'

export const backupCommands: readonly Command[] = [
  {
    words: 'backup',
    usage: '<folder, or file.marquee> [--passphrase-file <file>] [--keep <number>]',
    summary: 'backs up the event log, keys and uploads as they are at one position; into a folder only what is new there',
    takes: [1, 1],
    options: ['passphrase-file', 'keep'],
    run: backUp,
  },
  {
    words: 'restore',
    usage:
      '<backup> --data <folder> [--at <backup id>] [--replace] [--passphrase-file <file>] [--key <verifier key, or a file with one a line>]...',
    summary: 'verifies a backup, puts it into a data folder and builds the read models; --replace sets a log aside that is there',
    takes: [1, 1],
    options: ['data', 'at', 'passphrase-file'],
    required: ['data'],
    lists: ['key'],
    flags: ['replace'],
    bare: { option: 'data', run: restore },
    run: async () => NOT_DONE,
  },
]

async function backUp(call: Call): Promise<number> {
  const { commands, terminal, signal, rest, folder, options } = call
  const keep = options['keep'] === undefined ? undefined : Number(options['keep'])
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
    terminal.complain('--keep is invalid: give how many backups the folder keeps.')
    return NOT_UNDERSTOOD
  }
  const passphrase = givenPassphrase(call)
  if (passphrase === '') {
    terminal.complain('The file of --passphrase-file has no passphrase: write one into it, or the backup is not protected.')
    return NOT_UNDERSTOOD
  }
  const [target = ''] = rest
  if (target === '') {
    terminal.complain('The backup has no name: give a folder, or a file that ends with .marquee.')
    return NOT_UNDERSTOOD
  }
  if (keep !== undefined && target.endsWith('.marquee')) {
    terminal.complain('--keep is for folders: a backup in one file replaces the one before.')
    return NOT_UNDERSTOOD
  }
  const ask = { path: resolve(folder, target), ...omitUndefined({ passphrase, keep }) }
  const made = await commands.backup(
    ask,
    ({ events, total }) => printProgress(call, `${events} of ${counted(total, 'event')} so far`),
    signal,
  )
  if (isRefusal(made)) {
    terminal.complain(`${made.message}.`)
    return NOT_DONE
  }
  printData(call, made, () => backedUp(made))
  if (made.replaced > 0) terminal.complain(`${replacedFiles(made.replaced)}: check the disk of the backups.`)
  if (made.isInDataFolder)
    terminal.complain('This backup lies in the data folder and is lost together with it: give a place on another disk.')
  if (made.pruneProblem !== null) terminal.complain(`Old backups are not removed: ${made.pruneProblem}.`)
  return DONE
}

const replacedFiles = (count: number): string => `${counted(count, 'damaged file')} ${count === 1 ? 'was' : 'were'} replaced`

function backedUp({ id, events, checkpoint, files, bytes, reused, removed }: BackupSummary): readonly string[] {
  const old = removed > 0 ? ` ${counted(removed, 'old backup')} removed.` : ''
  return [
    `Backup ${id}: ${counted(events, 'event')}; ${counted(files, 'new file')} of ${bytes} bytes, ${reused} were there already.${old}`,
    `Its checkpoint, to be kept elsewhere:\n${checkpoint}`,
  ]
}

async function restore(call: BareCall): Promise<number> {
  const { terminal, signal, rest, folder, options, flags, lists } = call
  const loaded = call.load()
  if ('problems' in loaded) {
    for (const line of loaded.problems) terminal.complain(line)
    return NOT_DONE
  }
  const dataDir = resolve(folder, options['data'] ?? '')
  const path = resolve(folder, rest[0] ?? '')
  const ask = {
    path,
    config: { ...loaded.config, ...ON_FILES, dataDir },
    at: options['at'],
    keys: lists['key']?.flatMap((given) => keysIn(given, folder)),
    replace: flags.has('replace'),
    print: (line: string) => printProgress(call, line),
    signal,
    openOffline: call.openOffline,
  }
  const passphrase = givenPassphrase(call) ?? loaded.config.backupPassphrase
  let restored = await call.restoreBackup({ ...ask, passphrase })
  if ('problem' in restored && restored.needsPassphrase && passphrase === undefined) {
    const typed = await terminal.askHidden('Passphrase of the backup: ')
    if (typed !== undefined) restored = await call.restoreBackup({ ...ask, passphrase: typed })
  }
  if ('problem' in restored) {
    terminal.complain(`Nothing was restored. ${restored.problem}.`)
    return NOT_DONE
  }
  const { id, events, aside } = restored
  printData(call, { ...restored, dataDir }, () => [
    ...(aside === undefined ? [] : [`The former data is in ${aside}: its keys open data that was erased since, so destroy it soon.`]),
    `Backup ${id} is restored to ${dataDir}: ${counted(events, 'event')}, verified. Start the server with it.`,
  ])
  return DONE
}

/** Restored to files; `MARQUEE_EVENT_LOG` and the like name servers that this does not touch. */
const ON_FILES = { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:', bus: 'local:' } as const

/** One line of a file: an argument would be in the list of processes. */
function givenPassphrase({ options, folder }: Pick<Call, 'options' | 'folder'>): string | undefined {
  const file = options['passphrase-file']
  if (file === undefined) return undefined
  return readGivenFile(resolve(folder, file), 'The passphrase', 'Give a file that holds it in one line').replace(/\r?\n$/, '')
}

/** A value is a key or names a file of keys, with one a line. */
export function keysIn(given: string, folder: string): readonly string[] {
  const file = resolve(folder, given)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [given]
  const lines = readGivenFile(file, 'Keys', 'Give a file with one a line').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}
