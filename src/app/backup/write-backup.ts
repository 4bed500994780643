/**
 * Writes a backup: the log up to one position, compared with a signed checkpoint of it, the files that cannot be made again, and the
 * vault's keys. What an earlier backup in the same folder holds is not written again unless it is damaged.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import { grow, leafHash, rootOf, type Hash, type Tree } from '../../events/merkle-tree.ts'
import { START } from '../../events/position.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { EventLog } from '../../ports/event-log.ts'
import {
  FORMAT_VERSION,
  manifestBytes,
  manifestName,
  sha256,
  type Blob,
  type LogPiece,
  type Manifest,
  type Piece,
} from './backup-format.ts'
import { EVENT_VERSIONS } from '../format-versions.ts'
import { sealed, stored, type BackupPlace } from './backup-place.ts'
import { compressed, createPieces, type PieceOfLog } from './log-pieces.ts'
import { isIntact } from './read-backup.ts'

export interface BackupStep {
  readonly events: number
  readonly total: number
}

/** Bytes as they lie in the store. */
export interface Written {
  files: number
  bytes: number
  reused: number
  /** Damaged files of earlier backups, written again. */
  replaced: number
}

export const nothingWritten = (): Written => ({ files: 0, bytes: 0, reused: 0, replaced: 0 })

/** A file that cannot be made again; `path` is relative to the folder of blobs. */
export interface LastingFile {
  readonly path: string
  /** Undefined if it was removed meanwhile. */
  read(this: void): Promise<Uint8Array | undefined>
}

export interface LogToWrite {
  readonly log: Pick<EventLog, 'follow'>
  /** The tree that a checkpoint was signed of. */
  readonly tree: Tree
  readonly step: (step: BackupStep) => void
  readonly signal: AbortSignal
}

const STEP_EVENTS = 10_000
const CHANGED = refuse(
  'conflict',
  'The log is not what it was when its events were stored, so it is not backed up over earlier backups: `npm run marquee -- verify` shows where',
)

/** Its first `tree.size` events. Refusal: `conflict`, if they are not those of the tree. */
export async function writeLog(
  place: BackupPlace,
  { log, tree, step, signal }: LogToWrite,
  written: Written,
): Promise<readonly LogPiece[] | Refusal> {
  const pieces = createPieces()
  const names: LogPiece[] = []
  const frontier: Hash[] = []
  let size = 0
  const keep = async (piece: PieceOfLog | undefined): Promise<void> => {
    if (!piece) return
    names.push({ ...(await writePiece(place, 'log', piece.bytes, written)), events: piece.events })
  }
  for await (const event of firstEvents(log, tree.size, signal)) {
    grow(frontier, size, leafHash(logEntry(event)))
    size++
    await keep(pieces.add(event))
    if (size % STEP_EVENTS === 0) step({ events: size, total: tree.size })
  }
  await keep(pieces.rest())
  return size === tree.size && Buffer.compare(rootOf(frontier), tree.root) === 0 ? names : CHANGED
}

async function* firstEvents(log: Pick<EventLog, 'follow'>, count: number, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  let left = count
  if (left === 0) return
  for await (const batch of log.follow(START, signal)) {
    yield* batch.slice(0, left)
    left -= Math.min(left, batch.length)
    if (left === 0) return
  }
  signal.throwIfAborted()
}

export async function writeBlobs(
  place: BackupPlace,
  { files, signal }: { readonly files: AsyncIterable<LastingFile>; readonly signal: AbortSignal },
  written: Written,
): Promise<readonly Blob[]> {
  const blobs: Blob[] = []
  for await (const { path, read } of files) {
    signal.throwIfAborted()
    const bytes = await read()
    if (bytes) blobs.push({ ...(await writePiece(place, 'blobs', bytes, written)), path })
  }
  return blobs
}

/** Under the name of its hash, unless it is there and can be restored: a name alone proves nothing about a file that lay there for years. */
async function writePiece(place: BackupPlace, kind: 'log' | 'blobs', bytes: Uint8Array, written: Written): Promise<Piece> {
  const hash = sha256(bytes)
  const name = stored(place, `${kind}/${hash.slice(0, 2)}/${hash}`)
  const piece = { name, sha256: hash, bytes: bytes.length }
  const isThere = await place.store.has(name)
  if (isThere && (await isIntact(place, piece))) {
    written.reused++
    return piece
  }
  const file = await sealed(place, await compressed(bytes))
  await place.store.write(name, file)
  if (isThere) written.replaced++
  else {
    written.files++
    written.bytes += file.length
  }
  return piece
}

/** The last file: with it the backup is complete. */
export const writeManifest = (place: BackupPlace, manifest: Omit<Manifest, 'version' | 'eventVersions'>): Promise<void> =>
  place.store.write(manifestName(manifest.id), manifestBytes({ version: FORMAT_VERSION, ...manifest, eventVersions: EVENT_VERSIONS }))
