/**
 * Applies commits. With transactions, documents, tally values and checkpoints are one step. Without them, the order makes a crash harmless:
 * tally values first, then the documents, collection by collection in the order of the commits, then all checkpoints at once. Folding the
 * same events again after a crash gives the same result.
 */
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb'
import type { Clock } from '../../ports/clock.ts'
import type { Commit } from '../../ports/read-store.ts'
import { fieldValue } from '../shared/query-rules.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicateKey } from './errors.ts'
import type { Collections, KnownCollection } from './read-store-collections.ts'
import { recordOf } from './read-store-records.ts'
import type { CollectionRecord, StoredRecord } from './read-store-schema.ts'
import { freshValues, listValues, listWithin, rememberListed } from './read-store-tallies.ts'
import { sweepTombstones } from './read-store-tombstones.ts'
import { writeDocuments } from './read-store-writes.ts'
import { inTransaction } from './transactions.ts'

export interface CommitDependencies {
  readonly connection: MongoConnection
  readonly clock: Clock
  readonly collections: Collections
}

type CommitResult = 'applied' | 'fenced'

interface Target {
  readonly commit: Commit
  readonly known: KnownCollection
}

/** One after another: commits of one process never race for a checkpoint. */
export async function commitAll(deps: CommitDependencies, commits: readonly Commit[]): Promise<CommitResult> {
  const { collections } = deps
  const names = commits.map(({ collection }) => collection)
  let targets = targetsOf(commits, await Promise.all(names.map(collections.known)))
  // The cached state may be outdated.
  if (targets.some(isFenced)) targets = targetsOf(commits, await collections.current(names))
  if (targets.some(isFenced)) return 'fenced'
  targets.forEach(check)
  try {
    const outcome = await store(deps, targets)
    if (outcome === 'fenced') forget(deps, targets)
    else for (const { known, commit } of targets) collections.advanced(known, commit.to, commit.epoch)
    return outcome
  } catch (error) {
    forget(deps, targets)
    throw error
  }
}

const targetsOf = (commits: readonly Commit[], known: readonly KnownCollection[]): readonly Target[] =>
  commits.flatMap((commit, place) => {
    const collection = known[place]
    return collection ? [{ commit, known: collection }] : []
  })

const isFenced = ({ commit, known }: Target): boolean => known.checkpoint !== commit.from || commit.epoch < known.epoch

function check({ commit, known }: Target): void {
  for (const document of commit.puts) for (const field of Object.keys(known.spec.fields)) fieldValue(known.spec, document, field)
}

const forget = ({ collections }: CommitDependencies, targets: readonly Target[]): void =>
  targets.forEach(({ commit }) => collections.forget(commit.collection))

async function store(deps: CommitDependencies, targets: readonly Target[]): Promise<CommitResult> {
  if (await deps.connection.hasTransactions()) return storeTogether(deps, targets)
  return storeInOrder(deps, targets)
}

async function storeTogether(deps: CommitDependencies, targets: readonly Target[]): Promise<CommitResult> {
  const { connection, collections } = deps
  const listings = targets.map(({ known, commit }) => ({ known, fresh: freshValues(known, commit.puts) }))
  const kept = await inTransaction(deps, async (session) => {
    const checkpoints = targets.map((target): AnyBulkWriteOperation<CollectionRecord> => ({ updateOne: advance(target) }))
    const { matchedCount } = await collections.records.bulkWrite(checkpoints, { session })
    if (matchedCount < targets.length) return false
    for (const { known, fresh } of listings) await listWithin({ connection, known, session }, fresh)
    for (const target of targets) await replaceAll(target, session)
    return true
  })
  if (kept) for (const { known, fresh } of listings) rememberListed(known, fresh)
  return kept ? 'applied' : 'fenced'
}

/** The checkpoint guards all of these writes. */
async function replaceAll({ known, commit: { puts, removes } }: Target, session: ClientSession): Promise<void> {
  const writes = [
    ...removes.map(({ id }): AnyBulkWriteOperation<StoredRecord> => ({ deleteOne: { filter: { _id: id } } })),
    ...puts.map((document): AnyBulkWriteOperation<StoredRecord> => {
      return { replaceOne: { filter: { _id: document.id }, replacement: recordOf(document, known.spec), upsert: true } }
    }),
  ]
  if (writes.length > 0) await known.documents.bulkWrite(writes, { session })
}

async function storeInOrder({ connection, clock, collections }: CommitDependencies, targets: readonly Target[]): Promise<CommitResult> {
  // A new epoch is written first, so that the replaced process stops before it writes.
  const risen = targets.filter(({ commit, known }) => commit.epoch > known.epoch)
  if (risen.length > 0 && !(await areAdvanced(collections, risen.map(toEpoch)))) return 'fenced'
  await allDone(targets.map(({ known, commit }) => listValues(connection, known, commit.puts)))
  for (const { known, commit } of targets) if (!(await writeDocuments(known, commit, clock.now()))) return 'fenced'
  if (!(await areAdvanced(collections, targets))) return 'fenced'
  for (const { known } of targets) await sweepTombstones(known, clock)
  return 'applied'
}

/** Waits for all before it throws an error: no write may overlap with later work. */
async function allDone<Result>(works: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

const toEpoch = ({ commit, known }: Target): Target => ({ known, commit: { ...commit, to: commit.from } })

/** Compare-and-set. */
function advance({ commit: { collection, epoch, from, to }, known: { place } }: Target) {
  return {
    filter: { _id: collection, place, checkpoint: from, epoch: { $lte: epoch } },
    update: { $set: { checkpoint: to, epoch } },
  }
}

/**
 * Sets them in order and stops before the first refused one. A refusal must be an error for that, and an upsert makes it one: if a record
 * exists but does not match, the upsert would insert a duplicate.
 */
async function areAdvanced({ records }: Collections, targets: readonly Target[]): Promise<boolean> {
  try {
    const { upsertedCount } = await records.bulkWrite(targets.map((target) => ({ updateOne: { ...advance(target), upsert: true } })))
    if (upsertedCount === 0) return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
  // Removes records of collections that were dropped meanwhile.
  await records.deleteMany({ _id: { $in: targets.map(({ commit }) => commit.collection) }, spec: { $exists: false } })
  return false
}
