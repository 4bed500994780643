/** Checks the databases of the data folder for damage. It changes none of them, and a server may be running. */
import { existsSync, statSync } from 'node:fs'
import { damageIn, type CheckedFile } from '../../adapters/sqlite/damage-check.ts'
import type { Config } from '../../config/config.ts'
import { dataFolderAt } from '../data-folder.ts'
import { failed, ok, sizeText, warning, type Finding } from './finding.ts'

const CHECK = 'databases'
const RESTORE = 'Stop Marquee, keep a copy of the file, and restore it from a backup.'
/** Larger ones take seconds to read. */
const LARGE_BYTES = 100e6

interface Database extends CheckedFile {
  readonly found: typeof failed
  readonly remedy: string
}

type DatabaseSettings = Pick<Config, 'dataDir' | 'eventLog' | 'readStore' | 'vault'>

/** `print` hears of each file that takes a while. */
export function checkDatabases(config: DatabaseSettings, print: (line: string) => void): readonly Finding[] {
  const here = databasesOf(config).filter(({ file }) => existsSync(file))
  if (here.length === 0) return []
  const problems = here.flatMap((database) => problemOf(database, print) ?? [])
  return problems.length > 0 ? problems : [ok(CHECK, 'No damage was found in the files of the data folder')]
}

function databasesOf({ dataDir, eventLog, readStore, vault }: DatabaseSettings): readonly Database[] {
  const files = dataFolderAt(dataDir)
  const isHere = (engine: string) => engine === 'sqlite:'
  const answers = 'the next start begins a new one, and requests of the last day that are repeated may be carried out again.'
  return [
    ...(isHere(eventLog) ? [{ file: files.eventLog, hasWal: true, found: failed, remedy: RESTORE }] : []),
    ...(isHere(vault)
      ? [
          { file: files.vault, hasWal: false, found: failed, remedy: RESTORE },
          { file: files.idempotencyStore, hasWal: true, found: warning, remedy: `Stop Marquee and delete this file: ${answers}` },
        ]
      : []),
    ...(isHere(readStore)
      ? [
          {
            file: files.readModels,
            hasWal: true,
            found: warning,
            remedy: 'Stop Marquee and delete this file: the next start makes it again from the event log.',
          },
        ]
      : []),
  ]
}

function problemOf({ found, remedy, ...checked }: Database, print: (line: string) => void): Finding | undefined {
  const { file } = checked
  const { size } = statSync(file)
  if (size >= LARGE_BYTES) print(`Looking for damage in ${file} (${sizeText(size)}) ...`)
  try {
    const damage = damageIn(checked)
    return damage === undefined ? undefined : found(CHECK, `${file} is damaged: ${damage}`, remedy)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return warning(
      CHECK,
      `${file} could not be checked for damage: ${reason}`,
      'Run this as the user that Marquee runs as. After a crash, start the server once before.',
    )
  }
}
