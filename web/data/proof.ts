/**
 * Proof that an entry is in the audit log, computed here (RFC 6962, RFC 9162): the leaf is made from the stored event, and the path from it
 * must lead to the root in the checkpoint. Pure.
 */
import { sha256 } from './sha256.ts'

export interface Checkpoint {
  readonly origin: string
  /** Entries in the tree. */
  readonly size: number
  readonly root: Uint8Array
  /** The signed note, as it came. */
  readonly note: string
}

export interface Proof {
  readonly seq: number
  readonly size: number
  /** Of the path, the nearest to the leaf first; base64. */
  readonly hashes: readonly string[]
}

export const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))
export const leafOf = (entry: Uint8Array): Uint8Array => sha256(joined(Uint8Array.of(0), entry))
const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(joined(Uint8Array.of(1), left, right))

const half = (n: number): number => Math.floor(n / 2)

/** Root that the path leads to from the leaf; undefined if the path does not fit the size. */
export function rootBy(leaf: Uint8Array, { seq, size, hashes }: Proof): Uint8Array | undefined {
  if (seq < 1 || seq > size) return undefined
  let [at, last, root] = [seq - 1, size - 1, leaf]
  for (const hash of hashes.map(bytesOf)) {
    if (last === 0 || hash.length !== root.length) return undefined
    if (at % 2 === 1 || at === last) {
      root = nodeOf(hash, root)
      for (; at % 2 === 0 && at !== 0; at = half(at)) last = half(last)
    } else root = nodeOf(root, hash)
    at = half(at)
    last = half(last)
  }
  return last === 0 ? root : undefined
}

/** What each step found. The entry is proved if all are true. */
export interface Verdict {
  /** The hash of the stored event is the one that the log's list shows. */
  readonly leafFits: boolean
  /** The path leads from it to the root of the checkpoint. */
  readonly rootFits: boolean
  readonly leaf: Uint8Array
  readonly root: Uint8Array | undefined
}

export function verdictOf(entry: Uint8Array, leafHash: string, proof: Proof, checkpoint: Checkpoint): Verdict {
  const leaf = leafOf(entry)
  const root = rootBy(leaf, proof)
  return {
    leaf,
    root,
    leafFits: isSame(leaf, bytesOf(leafHash)),
    rootFits: root !== undefined && proof.size === checkpoint.size && isSame(root, checkpoint.root),
  }
}

/** The tree that a signed note is about; undefined if it is not one. The signature is not checked: that is the verifier's work, elsewhere. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const [origin = '', size = '', root = ''] = note.split('\n')
  if (origin === '' || !/^\d{1,15}$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return undefined
  return { origin, size: Number(size), root: bytesOf(root), note }
}

/** SHA-256 of the public key, for people to compare: in a key `<name>+<hash>+<base64 of type and key>`. */
export function fingerprintOf(key: string): string | undefined {
  const encoded = key.trim().split('+').slice(2).join('+')
  return encoded === '' ? undefined : (hexOf(sha256(bytesOf(encoded).subarray(1))).match(/.{4}/g) ?? []).join(' ')
}

const TILE = 256
const DIGITS = 3
const GROUP = 1000

/** Path of the tile with the entry (C2SP tlog-tiles), in a log of this size, and the entry's place in it. */
export function tileOf(seq: number, size: number): { readonly path: string; readonly place: number } {
  const index = Math.floor((seq - 1) / TILE)
  const width = Math.min(TILE, size - index * TILE)
  const groups: string[] = []
  for (let rest = index; rest > 0 || groups.length === 0; rest = Math.floor(rest / GROUP)) {
    groups.unshift(`${groups.length === 0 ? '' : 'x'}${String(rest % GROUP).padStart(DIGITS, '0')}`)
  }
  return { path: `entries/${groups.join('/')}${width < TILE ? `.p/${width}` : ''}`, place: (seq - 1) % TILE }
}

/** Each entry of a tile follows its length in two bytes. */
export function entryAt(tile: Uint8Array, place: number): Uint8Array | undefined {
  const view = new DataView(tile.buffer, tile.byteOffset, tile.byteLength)
  let at = 0
  for (let index = 0; at + 2 <= tile.length; index++) {
    const length = view.getUint16(at)
    if (index === place) return tile.slice(at + 2, at + 2 + length)
    at += 2 + length
  }
  return undefined
}
