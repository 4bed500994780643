/**
 * Parses the Matroska that ffmpeg writes to a pipe: each track's private data and every block with its time, as they arrive. Matroska
 * carries any text track unchanged, to the millisecond, several of them in one pipe.
 */
import { bigEndian, vintAt, vintLength } from '../containers/ebml.ts'
import * as ids from '../containers/matroska-ids.ts'

export interface MatroskaBlock {
  /** 1 for the first stream in ffmpeg's output. */
  readonly track: number
  readonly startMs: number
  /** Null if missing. */
  readonly durationMs: number | null
  readonly payload: Buffer
}

export interface MatroskaReader {
  /** Private data of each track (the head of an ASS file), by its number. */
  readonly headers: ReadonlyMap<number, Buffer>
  /** Takes bytes and returns the blocks that they complete. @throws Error it is not Matroska */
  push(bytes: Uint8Array): readonly MatroskaBlock[]
}

/** Elements to descend into; all others are read as a whole or skipped. */
const OPENED: ReadonlySet<number> = new Set([ids.SEGMENT, ids.CLUSTER, ids.TRACKS, ids.TRACK_ENTRY])
const READ: ReadonlySet<number> = new Set([ids.TRACK_NUMBER, ids.CODEC_PRIVATE, ids.TIMESTAMP, ids.BLOCK_GROUP, ids.SIMPLE_BLOCK])
/** The cover of an audio book is larger, but is not an audio or text block. */
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024

interface Element {
  readonly id: number
  readonly size: number
  /** Offset of its content. */
  readonly start: number
}

interface State {
  readonly headers: Map<number, Buffer>
  track: number
  clusterMs: number
}

export function createMatroskaReader(): MatroskaReader {
  const state: State = { headers: new Map(), track: 0, clusterMs: 0 }
  let rest: Buffer = Buffer.alloc(0)
  let skip = 0

  return {
    headers: state.headers,
    push(bytes) {
      const blocks: MatroskaBlock[] = []
      const buffer = rest.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.concat([rest, bytes])
      let at = Math.min(skip, buffer.length)
      skip -= at
      while (skip === 0) {
        const element = readElement(buffer, at)
        if (!element) break
        const { id, size, start } = element
        if (OPENED.has(id)) at = start
        else if (!READ.has(id)) {
          at = Math.min(start + size, buffer.length)
          skip = start + size - at
        } else if (size > MAX_ELEMENT_BYTES) throw new Error('A block is too large')
        else if (start + size > buffer.length) break
        else {
          const block = take(state, id, buffer.subarray(start, start + size))
          if (block) blocks.push(block)
          at = start + size
        }
      }
      rest = buffer.subarray(at)
      return blocks
    },
  }
}

function take(state: State, id: number, content: Buffer): MatroskaBlock | undefined {
  if (id === ids.TRACK_NUMBER) state.track = bigEndian(content, 0, content.length)
  else if (id === ids.CODEC_PRIVATE) state.headers.set(state.track, Buffer.from(content))
  else if (id === ids.TIMESTAMP) state.clusterMs = bigEndian(content, 0, content.length)
  else if (id === ids.SIMPLE_BLOCK) return blockOf(content, state.clusterMs, null)
  else if (id === ids.BLOCK_GROUP) return groupOf(content, state.clusterMs)
  return undefined
}

function groupOf(content: Buffer, clusterMs: number): MatroskaBlock | undefined {
  let durationMs: number | null = null
  let block: Buffer | undefined
  for (let at = 0; at < content.length;) {
    const element = readElement(content, at)
    if (!element) break
    const inner = content.subarray(element.start, element.start + element.size)
    if (element.id === ids.BLOCK) block = inner
    if (element.id === ids.BLOCK_DURATION) durationMs = bigEndian(inner, 0, inner.length)
    at = element.start + element.size
  }
  return block && blockOf(block, clusterMs, durationMs)
}

/** Track number, signed time relative to the cluster's, flags, then the block's content. */
function blockOf(content: Buffer, clusterMs: number, durationMs: number | null): MatroskaBlock | undefined {
  const length = vintLength(content[0] ?? 0)
  if (content.length < length + 3) return undefined
  const track = vintAt(content, 0, length)
  const payload = Buffer.from(content.subarray(length + 3))
  return { track, startMs: clusterMs + content.readInt16BE(length), durationMs, payload }
}

/** Undefined if the head is not complete yet. An element of unknown size is one to descend into. */
function readElement(buffer: Buffer, at: number): Element | undefined {
  const idLength = vintLength(buffer[at] ?? 0x80)
  if (idLength > 4) throw new Error('No Matroska')
  const sizeAt = at + idLength
  const sizeLength = vintLength(buffer[sizeAt] ?? 0x80)
  const start = sizeAt + sizeLength
  if (start > buffer.length || sizeAt >= buffer.length) return undefined
  return { id: buffer.readUIntBE(at, idLength), size: vintAt(buffer, sizeAt, sizeLength), start }
}
