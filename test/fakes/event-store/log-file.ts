/**
 * Stores the log in one file of frames, one frame per append, so that an append is stored completely or not at all.
 * A frame starts with the body's length and CRC-32 (four bytes each). The body is the frame's position in the log (eight bytes) and its
 * records, each its length (four bytes) and a `ReadResp`. Data after the last complete frame was never acknowledged and is cut off.
 * Bytes are handed to the kernel before a reply: they survive the process, but not the machine.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { readRecord, RECORD_HEADER_BYTES, type Recorded } from './recorded.ts'

export interface LogFile {
  /** Appends frames in one write. */
  write(frames: readonly Buffer[]): void
  /** Replaces the whole file atomically. */
  replace(frames: readonly Buffer[]): void
  close(): void
}

/** Size of a frame's header. */
export const FRAME_HEADER_BYTES = 16
/** The real server's files start with a header of that size: the first position is not 0. */
export const FIRST_POSITION = 128

export interface Recovered {
  readonly file: LogFile
  readonly records: readonly Recorded[]
  /** Position of the next frame. */
  readonly endPosition: number
}

export function openLogFile(folder: string): Recovered {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'log')
  let descriptor = openSync(path, 'a+')
  const { records, endPosition, wholeBytes } = readFrames(readFileSync(path))
  ftruncateSync(descriptor, wholeBytes)
  const file: LogFile = {
    write: (frames) => writeAll(descriptor, Buffer.concat(frames)),
    replace(frames) {
      const next = openSync(`${path}.next`, 'w')
      writeAll(next, Buffer.concat(frames))
      closeSync(next)
      renameSync(`${path}.next`, path)
      closeSync(descriptor)
      descriptor = openSync(path, 'a+')
    },
    close: () => closeSync(descriptor),
  }
  return { file, records, endPosition }
}

export function frameOf(position: number, records: readonly Recorded[]): Buffer {
  const body = Buffer.concat([number64(position), ...records.flatMap(({ wire }) => [number32(wire.length), wire])])
  return Buffer.concat([number32(body.length), number32(crc32(body)), body])
}

function readFrames(bytes: Buffer): { records: Recorded[]; endPosition: number; wholeBytes: number } {
  const records: Recorded[] = []
  let [offset, endPosition] = [0, FIRST_POSITION]
  for (let body = bodyAt(bytes, offset); body; body = bodyAt(bytes, offset)) {
    for (let at = 8; at < body.length;) {
      const from = at + RECORD_HEADER_BYTES
      at = from + body.readUInt32BE(at)
      records.push(readRecord(body.subarray(from, at)))
    }
    offset += 8 + body.length
    endPosition = Number(body.readBigUInt64BE(0)) + 8 + body.length
  }
  return { records, endPosition, wholeBytes: offset }
}

function bodyAt(bytes: Buffer, offset: number): Buffer | undefined {
  if (offset + FRAME_HEADER_BYTES > bytes.length) return undefined
  const body = bytes.subarray(offset + 8, offset + 8 + bytes.readUInt32BE(offset))
  return body.length === bytes.readUInt32BE(offset) && crc32(body) === bytes.readUInt32BE(offset + 4) ? body : undefined
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

function number32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function number64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
