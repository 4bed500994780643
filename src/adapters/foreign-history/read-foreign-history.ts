/** Chooses the reader of a program's file: a SQLite database, JSON or CSV. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignProgram } from '../../ports/foreign-history.ts'
import { readJellyfin, readJellyfinExport } from './jellyfin.ts'
import { readKodi } from './kodi.ts'
import { readLetterboxd } from './letterboxd.ts'
import { readPlex } from './plex.ts'
import { readTautulli } from './tautulli.ts'
import { readTrakt } from './trakt.ts'

/** An export is read as a whole; Trakt writes some 500 bytes for a viewing. */
const EXPORT_MAX_BYTES = 256 * 1024 ** 2

interface Reader {
  readonly expected: string
  readonly database?: (file: string) => ForeignHistory
  readonly text?: (text: string) => ForeignHistory
}

const json =
  (read: (json: unknown) => ForeignHistory) =>
  (text: string): ForeignHistory =>
    read(JSON.parse(text))

const READERS: Readonly<Record<ForeignProgram, Reader>> = {
  jellyfin: { expected: 'a database or a JSON export of Jellyfin', database: readJellyfin, text: json(readJellyfinExport) },
  plex: { expected: "Plex's database", database: readPlex },
  kodi: { expected: "Kodi's video database", database: readKodi },
  tautulli: { expected: "Tautulli's database", database: readTautulli },
  trakt: { expected: 'a JSON export of Trakt', text: json(readTrakt) },
  letterboxd: { expected: 'diary.csv or watched.csv of a Letterboxd export', text: readLetterboxd },
}

/** @throws ForeignHistoryUnreadable */
export async function readForeignHistory(program: ForeignProgram, file: string): Promise<ForeignHistory> {
  const { expected, database, text } = READERS[program]
  try {
    if (isDatabase(file)) {
      if (database) return database(file)
    } else if (text) {
      if (statSync(file).size > EXPORT_MAX_BYTES) throw new ForeignHistoryUnreadable(`${file} is larger than 256 MiB.`)
      return text(readFileSync(file, 'utf8'))
    }
  } catch (error) {
    if (error instanceof ForeignHistoryUnreadable) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ForeignHistoryUnreadable(`Cannot read ${file} as ${expected}: ${reason}`, { cause: error })
  }
  throw new ForeignHistoryUnreadable(`${file} is not ${expected}.`)
}

const HEADER = 'SQLite format 3\0'

/** sqlite.org/fileformat.html#magic_header_string */
function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(HEADER.length)
    readSync(descriptor, header, 0, HEADER.length, 0)
    return header.toString('latin1') === HEADER
  } finally {
    closeSync(descriptor)
  }
}
