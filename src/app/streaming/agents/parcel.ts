/** Parcel: what a job needs besides its film, handed to its agent over the bus in pieces. */
import { hash } from 'node:crypto'
import { pack } from '../../../flow/packing.ts'

export interface Parcel {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
}

/** Contents of a parcel at most, and bytes of all of it. */
export const MOST_CONTENTS = 65
export const MOST_PARCEL_BYTES = 64 * 1024 * 1024

export function parcelOf(contents: readonly Uint8Array[]): Parcel {
  const bytes = pack(contents)
  return { bytes, digest: digestOf(bytes) }
}

export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes)
