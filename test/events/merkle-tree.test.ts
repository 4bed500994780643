import { createHash } from 'node:crypto'
import t from 'tap'
import {
  consistencyPath,
  emptyRoot,
  grow,
  inclusionPath,
  isConsistent,
  joined,
  leafHash,
  nodeHash,
  rootByInclusion,
  rootOf,
  subtreesOf,
  type Hash,
  type Range,
} from '../../src/events/merkle-tree.ts'
import { rootByDefinition } from './merkle-root.ts'

const SIZES = 35
const leaves = Array.from({ length: SIZES }, (_, n) => leafHash(`entry ${n}`))
const rootOfRange = ({ start, end }: Range): Hash => rootByDefinition(leaves.slice(start, end))
const treeOf = (size: number) => ({ size, root: rootOfRange({ start: 0, end: size }) })
const hex = (hash: Hash | undefined) => hash && Buffer.from(hash).toString('hex')

t.test('the hashes of the standard', async (t) => {
  t.equal(hex(emptyRoot()), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  t.equal(hex(leafHash('')), '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})

t.test('a node is the hash of both its hashes, and of nothing that an earlier call has left', async (t) => {
  const [left, right] = [leafHash('left'), leafHash('right')]
  const byDefinition = createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest('hex')
  nodeHash(right, left)
  t.equal(hex(nodeHash(left, right)), byDefinition)
  for (const wrong of [left.subarray(1), new Uint8Array(33), new Uint8Array()]) {
    t.throws(() => nodeHash(wrong, right), /32 bytes/)
    t.throws(() => nodeHash(left, wrong), /32 bytes/)
  }
})

t.test('a tree that grows leaf by leaf has the root of the definition', async (t) => {
  const frontier: Hash[] = []
  for (const [size, leaf] of leaves.entries()) {
    t.equal(hex(rootOf(frontier)), hex(treeOf(size).root), `size ${size}`)
    grow(frontier, size, leaf)
  }
})

t.test('an inclusion proof leads from each leaf to the root, and from no other leaf', async (t) => {
  const wrong: string[] = []
  for (let size = 1; size < SIZES; size++) {
    for (let leaf = 0; leaf < size; leaf++) {
      const path = inclusionPath(leaf, { start: 0, end: size }).map(rootOfRange)
      const rootFrom = (n: number, hashes = path) => hex(rootByInclusion(leaf, size, { hash: leaves[n] ?? emptyRoot(), path: hashes }))
      const root = hex(treeOf(size).root)
      if (rootFrom(leaf) !== root || rootFrom(leaf + 1) === root || rootFrom(leaf, [...path, emptyRoot()]) === root)
        wrong.push(`${leaf} of ${size}`)
    }
  }
  t.strictSame(wrong, [])
})

t.test('a consistency proof shows that a tree has grown out of another, and out of no other', async (t) => {
  const wrong: string[] = []
  for (let size = 1; size < SIZES; size++) {
    for (let from = 1; from <= size; from++) {
      const path = consistencyPath(from, size).map(rootOfRange)
      const other = { size: from, root: leafHash('another tree') }
      if (!isConsistent(treeOf(from), treeOf(size), path)) wrong.push(`${from} to ${size}`)
      if (isConsistent(other, treeOf(size), path) || isConsistent(treeOf(from), { ...other, size }, path))
        wrong.push(`forged ${from} to ${size}`)
      if (from < size && isConsistent(treeOf(from), treeOf(size), path.slice(1))) wrong.push(`cut ${from} to ${size}`)
    }
  }
  t.strictSame(wrong, [])
  t.ok(isConsistent(treeOf(0), treeOf(9), []), 'every tree has grown out of the empty one')
  t.notOk(isConsistent(treeOf(9), treeOf(5), []), 'no tree shrinks')
})

t.test('each range of a proof is made of complete subtrees', async (t) => {
  const ranges = leaves.flatMap((_, size) => leaves.slice(0, size).flatMap((__, leaf) => inclusionPath(leaf, { start: 0, end: size })))
  const hashOf = ({ level, index }: { level: number; index: number }) => joined(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level))
  t.ok(ranges.length > 1_000)
  t.ok(ranges.every((range) => hex(rootOf(subtreesOf(range).map(hashOf))) === hex(rootOfRange(range))))
})
