/** Reads EBML (RFC 8794): elements from bytes in memory, and element heads from a file. */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'

export interface Element {
  readonly id: number
  readonly bytes: Uint8Array
}

export interface ElementHead {
  readonly id: number
  /** Offset of the head's first byte. */
  readonly start: number
  /** Offset of the content's first byte. */
  readonly dataStart: number
  /** Offset of the byte after the content; Infinity if its length was never written. */
  readonly end: number
}

const LONGEST_HEAD_BYTES = 12
const MOST_ELEMENTS = 500_000

interface Head {
  readonly id: number
  readonly headBytes: number
  readonly length: number
}

/** Head of the element at an offset. @throws Unsupported if there is none */
function headAt(bytes: Uint8Array, at: number): Head {
  const idBytes = lengthOfNumber(bytes[at], 4)
  const lengthBytes = lengthOfNumber(bytes[at + idBytes], 8)
  if (at + idBytes + lengthBytes > bytes.length) throw new Unsupported('An element is cut off')
  const id = bigEndian(bytes, at, idBytes)
  const length = vintAt(bytes, at + idBytes, lengthBytes)
  return { id, headBytes: idBytes + lengthBytes, length: length >= 2 ** (7 * lengthBytes) - 1 ? Infinity : length }
}

function lengthOfNumber(first: number | undefined, most: number): number {
  const bytes = first === undefined ? Infinity : vintLength(first)
  if (bytes > most) throw new Unsupported('It is no element')
  return bytes
}

/** Length in bytes of a number, given by the leading zeros of its first byte; 9 if invalid. */
export const vintLength = (first: number): number => Math.clz32(first) - 23

/** Such a number of this length. */
export function vintAt(bytes: Uint8Array, at: number, length: number): number {
  // The marker is removed from the first byte alone: eight bytes with it exceed the exact range of a number.
  const first = (bytes[at] ?? 0) & (0xff >> length)
  return first * 256 ** (length - 1) + bigEndian(bytes, at + 1, length - 1)
}

/** Head of an element of a file. @throws Unsupported if there is none, or its content ends beyond `until` */
export async function readHead(file: BoundedFile, start: number, until: number): Promise<ElementHead> {
  const mostBytes = Math.min(until, file.sizeBytes) - start
  const { id, headBytes, length } = headAt(await file.read(start, Math.min(LONGEST_HEAD_BYTES, mostBytes)), 0)
  const dataStart = start + headBytes
  if (length !== Infinity && dataStart + length > until) throw new Unsupported('An element is longer than what holds it')
  return { id, start, dataStart, end: dataStart + length }
}

/** The whole content of an element. @throws Unsupported if it is longer than that */
export async function readContent(file: BoundedFile, { dataStart, end }: ElementHead, mostBytes: number): Promise<Uint8Array> {
  if (end - dataStart > mostBytes) throw new Unsupported('An element is too long')
  return file.read(dataStart, end - dataStart)
}

/** Consecutive elements. @throws Unsupported if one is cut off */
export function* elementsOf(bytes: Uint8Array): Generator<Element> {
  let seen = 0
  for (let at = 0; at < bytes.length;) {
    const { id, headBytes, length } = headAt(bytes, at)
    const end = at + headBytes + length
    if (end > bytes.length || ++seen > MOST_ELEMENTS) throw new Unsupported('An element is longer than what holds it')
    yield { id, bytes: bytes.subarray(at + headBytes, end) }
    at = end
  }
}

/** The first element with an id. */
export function elementIn(bytes: Uint8Array | undefined, id: number): Uint8Array | undefined {
  for (const element of elementsOf(bytes ?? new Uint8Array(0))) if (element.id === id) return element.bytes
  return undefined
}

/** @throws Unsupported beyond eight bytes, or the exact range of a number */
export function unsigned(bytes: Uint8Array): number {
  const value = bytes.length > 8 ? Infinity : bigEndian(bytes, 0, bytes.length)
  if (!Number.isSafeInteger(value)) throw new Unsupported('A number is too large')
  return value
}

export function unsignedIn(bytes: Uint8Array | undefined, id: number): number | undefined {
  const found = elementIn(bytes, id)
  return found && unsigned(found)
}

export function floatIn(bytes: Uint8Array | undefined, id: number): number | undefined {
  const found = elementIn(bytes, id)
  if (!found) return undefined
  const view = new DataView(found.buffer, found.byteOffset, found.byteLength)
  return found.length === 4 ? view.getFloat32(0) : found.length === 8 ? view.getFloat64(0) : undefined
}

export function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}
