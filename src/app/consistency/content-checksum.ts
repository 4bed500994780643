/**
 * Computes a checksum of a collection's content: the sum, modulo 2^256, of the SHA-256 of each document's canonical JSON. A sum does not
 * depend on the order of documents, so equal content has an equal checksum in every engine and after every history. It detects differences,
 * but does not resist an attacker who chooses documents so that two sums agree.
 */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { canonicalJson } from '../../events/canonical-json.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadStore, StoredDocument } from '../../ports/read-store.ts'
import type { Position } from '../../events/position.ts'

export interface ContentChecksum {
  /** Checkpoint of the collection while it was read. */
  readonly position: Position
  /** 64 lower-case hex digits. */
  readonly checksum: string
}

export interface ChecksumDependencies {
  readonly store: Pick<ReadStore, 'checkpoint' | 'find'>
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
}

const PAGE = 100
/** Pause after each page, as a multiple of the time that the page took, so that other work gets its turn. */
const REST = 3
const MODULUS = 1n << 256n
const DIGITS = 64

/** Undefined if the collection was changed meanwhile. @throws NoCollection */
export async function contentChecksum({ store, clock }: ChecksumDependencies, collection: string): Promise<ContentChecksum | undefined> {
  const position = await store.checkpoint(collection)
  const isUnchanged = async (): Promise<boolean> => (await store.checkpoint(collection)) === position
  let sum = 0n
  let after: { readonly value: null; readonly id: string } | undefined
  do {
    const startedMs = clock.monotonic()
    const { documents, next } = await store.find(collection, { limit: PAGE, ...omitUndefined({ after }) })
    // An engine without transactions stores documents before their checkpoint.
    if (documents.some(({ at }) => at > position)) return undefined
    sum = documents.reduce((total, document) => total + digestOf(document), sum) % MODULUS
    after = next ? { value: null, id: next.id } : undefined
    if (!after) break
    const restMs = (clock.monotonic() - startedMs) * REST
    await (restMs > 0 ? clock.sleep(restMs) : setImmediate())
  } while (await isUnchanged())
  if (after || !(await isUnchanged())) return undefined
  return { position, checksum: sum.toString(16).padStart(DIGITS, '0') }
}

/** Positions are left out: they differ between logs with equal events. */
const digestOf = ({ id, body }: StoredDocument): bigint => BigInt(`0x${hash('sha256', canonicalJson({ id, body }), 'hex')}`)
