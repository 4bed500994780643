/**
 * Merkle tree over the events of the log in their order (RFC 6962, section 2.1). Leaf number n - 1 is the event with seq n.
 *
 * A subtree is complete if it has 2^level leaves; it is named by its level and its number from the left at that level. The functions here
 * need only hashes of complete subtrees, which never change while the log grows.
 */
import { hash as digest } from 'node:crypto'

/** SHA-256: 32 bytes. */
export type Hash = Uint8Array

export interface Subtree {
  readonly level: number
  readonly index: number
}

/** Leaves from `start` (inclusive) to `end` (exclusive). */
export interface Range {
  readonly start: number
  readonly end: number
}

export const HASH_BYTES = 32

const LEAF = '\0'
/** Of no more than one call at a time: the two hashes of a node behind their prefix. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1)

export const leafHash = (entry: string): Hash => digest('sha256', LEAF + entry, 'buffer')

/** @throws TypeError one of them is no hash: what the call before has left would be hashed in its place */
export function nodeHash(left: Hash, right: Hash): Hash {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) throw new TypeError('A hash has 32 bytes')
  node.set(left, 1)
  node.set(right, 1 + HASH_BYTES)
  return digest('sha256', node, 'buffer')
}

/** The root of a tree without leaves. */
export const emptyRoot = (): Hash => digest('sha256', '', 'buffer')

/** The complete subtrees that make up a range, the largest first. `start` is a multiple of the largest one's size. */
export function subtreesOf({ start, end }: Range): readonly Subtree[] {
  const subtrees: Subtree[] = []
  for (let at = start; at < end;) {
    const level = Math.floor(Math.log2(end - at))
    subtrees.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return subtrees
}

/** The root over complete subtrees, given the largest first. */
export function rootOf(hashes: readonly Hash[]): Hash {
  const [last, ...others] = hashes.toReversed()
  return last === undefined ? emptyRoot() : others.reduce((right, left) => nodeHash(left, right), last)
}

/** Adds a leaf to the complete subtrees of a tree of this size, the largest first. */
export function grow(frontier: Hash[], size: number, leaf: Hash): void {
  let hash = leaf
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) hash = nodeHash(frontier.pop() ?? leaf, hash)
  frontier.push(hash)
}

/** The root of a complete subtree, from the hashes of 2^n adjacent subtrees. */
export function joined(hashes: readonly Hash[]): Hash {
  const [only, second] = hashes
  if (only === undefined) throw new TypeError('There is nothing to join')
  if (second === undefined) return only
  const above: Hash[] = []
  for (let n = 0; n + 1 < hashes.length; n += 2) above.push(nodeHash(hashes[n] ?? only, hashes[n + 1] ?? only))
  return joined(above)
}

/** The largest power of two below the size, which is at least 2. */
const leftSize = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)

/** PATH(m, D[n]) of RFC 6962, section 2.1.1: the ranges whose roots prove that a leaf is in the tree, the nearest to it first. */
export function inclusionPath(leaf: number, { start, end }: Range): readonly Range[] {
  if (end - start === 1) return []
  const middle = start + leftSize(end - start)
  return leaf < middle
    ? [...inclusionPath(leaf, { start, end: middle }), { start: middle, end }]
    : [...inclusionPath(leaf, { start: middle, end }), { start, end: middle }]
}

/** PROOF(m, D[n]) of RFC 6962, section 2.1.2: the ranges whose roots prove that a tree has grown out of its first `from` leaves. */
export function consistencyPath(from: number, to: number): readonly Range[] {
  return from === to ? [] : subproof(from, { start: 0, end: to }, true)
}

function subproof(from: number, { start, end }: Range, isWhole: boolean): readonly Range[] {
  if (from === end) return isWhole ? [] : [{ start, end }]
  const middle = start + leftSize(end - start)
  return from <= middle
    ? [...subproof(from, { start, end: middle }, isWhole), { start: middle, end }]
    : [...subproof(from, { start: middle, end }, false), { start, end: middle }]
}

/** The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2); undefined if it does not fit the size. */
export function rootByInclusion(
  leaf: number,
  size: number,
  proof: { readonly hash: Hash; readonly path: readonly Hash[] },
): Hash | undefined {
  if (leaf >= size) return undefined
  let [at, last, root] = [leaf, size - 1, proof.hash]
  for (const hash of proof.path) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      root = nodeHash(hash, root)
      for (; at % 2 === 0 && at !== 0; at /= 2) last = half(last)
    } else root = nodeHash(root, hash)
    at = half(at)
    last = half(last)
  }
  return last === 0 ? root : undefined
}

const half = (n: number): number => Math.floor(n / 2)

export interface Tree {
  readonly size: number
  readonly root: Hash
}

/** Whether a proof shows that one tree has grown out of the other (RFC 9162, section 2.1.4.2). */
export function isConsistent(from: Tree, to: Tree, path: readonly Hash[]): boolean {
  if (from.size > to.size) return false
  if (from.size === to.size) return path.length === 0 && isSame(from.root, to.root)
  if (from.size === 0) return path.length === 0
  const [first, ...rest] = Number.isInteger(Math.log2(from.size)) ? [from.root, ...path] : path
  if (first === undefined) return false
  let [at, last] = [from.size - 1, to.size - 1]
  for (; at % 2 === 1; at = half(at)) last = half(last)
  let [before, now] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      before = nodeHash(hash, before)
      now = nodeHash(hash, now)
      for (; at % 2 === 0 && at !== 0; at /= 2) last = half(last)
    } else now = nodeHash(now, hash)
    at = half(at)
    last = half(last)
  }
  return last === 0 && isSame(before, from.root) && isSame(now, to.root)
}

const isSame = (a: Hash, b: Hash): boolean => Buffer.compare(a, b) === 0
