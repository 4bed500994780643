/**
 * What lies in a backup. `backup.json` names the owner of the backups; `log/` and `blobs/` hold content under the name of its hash, so that
 * later backups in the same folder share it; `vault/<id>` holds the keys of one backup, and `backups/<id>.json`, written last, makes it
 * complete.
 */
import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { BackupStore } from '../../ports/backup-store.ts'
import { listed, unknownEvents, Versions } from '../format-versions.ts'
import { messageSchema } from '../message-schema.ts'

export const FORMAT_VERSION = 1
export const HEADER = 'backup.json'
/** The key of encrypted backups, locked with the passphrase. */
export const LOCKED_KEY = 'key.age'
const MANIFESTS = 'backups/'
export const VAULTS = 'vault/'
/** Content under the name of its hash. */
export const CONTENT = ['log/', 'blobs/'] as const

const Header = Type.Object({
  format: Type.Literal('marquee-backup'),
  version: Type.Integer(),
  /** Name of the key that signs its checkpoints. */
  installation: Type.String(),
  encrypted: Type.Boolean(),
})
export type Header = Static<typeof Header>

/** A stored file, and the content that it must have. */
const Piece = Type.Object({ name: Type.String(), sha256: Type.String(), bytes: Type.Integer({ minimum: 0 }) })
export type Piece = Static<typeof Piece>
const LogPiece = Type.Intersect([Piece, Type.Object({ events: Type.Integer({ minimum: 1 }) })])
export type LogPiece = Static<typeof LogPiece>
const Blob = Type.Intersect([Piece, Type.Object({ path: Type.String() })])
export type Blob = Static<typeof Blob>

const Manifest = Type.Object({
  version: Type.Integer(),
  /** Also its name. */
  id: Type.String(),
  createdAt: Type.String(),
  /** One more than the highest of those that were there: the order in which they were made. Missing in the first backups. */
  number: Type.Optional(Type.Integer({ minimum: 1 })),
  /** As many events of the log, from its first on. */
  events: Type.Integer({ minimum: 0 }),
  /** Signed note of their tree. */
  checkpoint: Type.String(),
  log: Type.Array(LogPiece),
  blobs: Type.Array(Blob),
  /** Versions of the event types of its writer; missing in the first backups. */
  eventVersions: Type.Optional(Versions),
})
export type Manifest = Static<typeof Manifest>

const isHeader = messageSchema(Header)
const isManifest = messageSchema(Type.Object({ sha256: Type.String(), manifest: Manifest }))

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const manifestName = (id: string): string => `${MANIFESTS}${id}.json`
export const vaultName = (id: string): string => `${VAULTS}${id}`
/** Without colons, which some file systems do not take. */
export const backupId = (at: Date): string => at.toISOString().replaceAll(':', '-')
export const timeOfBackup = (id: string): number => Date.parse(id.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))

/** Ids of the complete backups, by the clock of their time. */
export async function completeBackups(store: BackupStore): Promise<readonly string[]> {
  return (await store.list(MANIFESTS)).map((name) => name.slice(MANIFESTS.length).replace(/\.json$/, ''))
}

interface MadeBackup {
  readonly id: string
  /** 0 for those of the time before backups had one. */
  readonly number: number
}

/**
 * The complete backups in the order in which they were made. Their times do not say it, since a clock may have been wrong; nor do their
 * events, since a log that was restored to an earlier backup has fewer. One that cannot be read is taken to follow the one before it in time.
 */
export async function backupsAsMade(store: BackupStore): Promise<readonly MadeBackup[]> {
  const found: MadeBackup[] = []
  for (const id of await completeBackups(store)) {
    const manifest = await readManifest(store, id)
    found.push({ id, number: isRefusal(manifest) ? (found.at(-1)?.number ?? 0) : (manifest.number ?? 0) })
  }
  return found.toSorted((a, b) => a.number - b.number)
}

/** Undefined if nothing was ever backed up there. */
export async function readHeader(store: BackupStore): Promise<Header | Refusal | undefined> {
  const bytes = await store.read(HEADER)
  if (bytes === undefined) return undefined
  const header = parsed(bytes)
  if (!isHeader(header)) return refuse('invalid', `${HEADER} is damaged, or this is no backup of Marquee`)
  return header.version > FORMAT_VERSION ? newer(HEADER) : header
}

export async function readManifest(store: BackupStore, id: string): Promise<Manifest | Refusal> {
  const bytes = await store.read(manifestName(id))
  const file = bytes && parsed(bytes)
  if (!isManifest(file) || sumOf(file.manifest) !== file.sha256)
    return refuse('invalid', `${manifestName(id)} is missing or damaged: choose another backup with --at`)
  const { manifest } = file
  if (manifest.version > FORMAT_VERSION) return newer(manifestName(id))
  const unknown = unknownEvents(manifest.eventVersions ?? {})
  return unknown.length > 0 ? newer(manifestName(id), `: it holds ${listed(unknown)}`) : manifest
}

/** With its own hash: not everything in it is signed. */
export const manifestBytes = (manifest: Manifest): Uint8Array => jsonBytes({ sha256: sumOf(manifest), manifest })

const sumOf = (manifest: Manifest): string => sha256(Buffer.from(JSON.stringify(manifest)))

const newer = (name: string, why = ''): Refusal =>
  refuse('invalid', `${name} was written by a newer version of Marquee${why}. Restore it with that version`)

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
