/**
 * The log in pieces: events as JSON lines, compressed. Pieces begin at the same events in every backup, so that all but the last one are
 * the same files again.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { StoredEvent } from '../../events/envelope.ts'

/** A piece ends after so many events, or so many bytes. */
const MOST_EVENTS = 1_024
const MOST_BYTES = 4 * 1024 * 1024
/** A longer one was not written here: its length is not to fill the memory. */
const LONGEST_PIECE = 64 * 1024 * 1024

const [compress, expand] = [promisify(gzip), promisify(gunzip)]

export interface PieceOfLog {
  readonly events: number
  /** Before compression: its hash names the piece. */
  readonly bytes: Uint8Array
}

/** Cuts events into pieces. */
export function createPieces() {
  let lines: string[] = []
  let bytes = 0
  function take(): PieceOfLog {
    const piece = { events: lines.length, bytes: Buffer.from(lines.join('')) }
    lines = []
    bytes = 0
    return piece
  }
  return {
    /** The piece that this event completes, if it does. */
    add({ stream, revision, id, type, data, metadata }: StoredEvent): PieceOfLog | undefined {
      const line = `${JSON.stringify({ stream, revision, id, type, data, metadata })}\n`
      lines.push(line)
      bytes += line.length
      return lines.length >= MOST_EVENTS || bytes >= MOST_BYTES ? take() : undefined
    },
    rest: (): PieceOfLog | undefined => (lines.length > 0 ? take() : undefined),
  }
}

export type EventOfPiece = Omit<StoredEvent, 'position'>

export const compressed = (bytes: Uint8Array): Promise<Uint8Array> => compress(bytes)

/** @throws Error it is damaged */
export const expanded = (bytes: Uint8Array): Promise<Uint8Array> => expand(bytes, { maxOutputLength: LONGEST_PIECE })

/** The bytes have the hash that the backup names, so they equal the written ones. */
export const eventsIn = (bytes: Uint8Array): readonly EventOfPiece[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventOfPiece)
