/**
 * Refuses a data folder of a newer version of Marquee before anything in it is changed, and records the formats of this version there. The
 * SQLite files carry their versions; `formats.json` names those of events and read models.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Type, type Static } from 'typebox'
import { FILE_KINDS, newerVersionOf } from '../adapters/sqlite/file-formats.ts'
import { writeDurably } from '../adapters/shared/durable-file.ts'
import { EVENT_VERSIONS, listed, newerText, unknownEvents, newerViews, Versions, VIEW_VERSIONS } from '../app/format-versions.ts'
import { messageSchema } from '../app/message-schema.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'
import { StartRefused } from '../process/start-failure.ts'
import { VERSION } from '../process/version.ts'

/** Version of `formats.json` itself. */
const FORMAT_VERSION = 1

const Formats = Type.Object({ version: Type.Integer({ minimum: 1 }), writtenBy: Type.String(), events: Versions, views: Versions })
type Formats = Static<typeof Formats>
const isFormats = messageSchema(Formats)
/** Of a newer file only this much is known. */
const isVersioned = messageSchema(Type.Object({ version: Type.Integer({ minimum: 1 }) }))

interface Place {
  readonly config: Pick<Config, 'eventLog' | 'readStore' | 'vault'>
  readonly folder: DataFolder
}

/** @throws StartRefused in one line: what is newer, and what to do */
export function refuseNewerData({ config, folder }: Place): void {
  const noted = notedIn(folder)
  const newer = [...newerFiles(config, folder), ...noted.newer]
  if (newer.length === 0) return
  const by = noted.writtenBy === undefined ? '' : ` (${noted.writtenBy})`
  throw new StartRefused(
    `The data folder ${folder.path} was written by a newer version of Marquee${by}: it holds ${listed(newer)}. Nothing was changed. ` +
      `Start that version again, or restore a backup from before the upgrade (npm run marquee -- restore <backup> --replace).`,
  )
}

/** Written only if it changes. The caller owns the folder, so nobody else writes the file. @throws the disk's error */
export function noteFormats(folder: DataFolder, writtenBy: string): void {
  const text = formatsOf(writtenBy)
  if (textOf(folder.formats) !== text) writeDurably(folder.formats, text)
}

function formatsOf(writtenBy: string): string {
  const formats: Formats = { version: FORMAT_VERSION, writtenBy, events: EVENT_VERSIONS, views: VIEW_VERSIONS }
  return `${JSON.stringify(formats, null, 1)}\n`
}

function newerFiles({ eventLog, vault, readStore }: Place['config'], folder: DataFolder): readonly string[] {
  const engines = { eventLog, vault, readModels: readStore, idempotencyStore: vault }
  return (['eventLog', 'vault', 'readModels', 'idempotencyStore'] as const).flatMap((name) => {
    const version = engines[name] === 'sqlite:' ? newerVersionOf(folder[name], FILE_KINDS[name]) : undefined
    return version === undefined ? [] : [newerText(basename(folder[name]), version, FILE_KINDS[name].version)]
  })
}

interface Noted {
  readonly newer: readonly string[]
  readonly writtenBy?: string
}

/** Nothing if the file is missing or damaged: it is then written again. */
function notedIn({ formats: file }: DataFolder): Noted {
  const text = textOf(file)
  // As almost always. Compiling the checks would take 10 ms of a start.
  if (text === formatsOf(VERSION)) return { newer: [] }
  const noted = parsed(text)
  if (isVersioned(noted) && noted.version > FORMAT_VERSION) return { newer: [newerText(basename(file), noted.version, FORMAT_VERSION)] }
  if (!isFormats(noted)) return { newer: [] }
  const { events, views, writtenBy } = noted
  return { newer: [...unknownEvents(events), ...newerViews(views)], writtenBy }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
