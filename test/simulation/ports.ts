/** The ports of a simulation without faults: determined by the seed, without real randomness. */
import { createMemoryMedia, type MemoryMedia } from '../../src/adapters/memory/media.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import type { Id } from '../../src/vocabulary/id.ts'
import type { Ids } from '../../src/ports/ids.ts'
import type { Vault } from '../../src/ports/vault.ts'

const ID_LENGTH = 21
const TOKEN_LENGTH = 43
const UUID_TAIL = 12
const KEY_BYTES = 32

export const VAULT_KEY = new Uint8Array(KEY_BYTES).fill(7)

/** Sequential ids of one host; `series` has up to five hexadecimal digits. */
export function createSeriesIds(series: number): Ids {
  const count = { id: 0, event: 0, token: 0 }
  const head = series.toString(16).padStart(5, '0')
  const numbered = (value: number, length: number): string => value.toString().padStart(length, '0')
  return {
    next: <Kind extends string>() => `i${head}${numbered(++count.id, ID_LENGTH - 6)}` as Id<Kind>,
    event: () => `000${head}-0000-4000-8000-${numbered(++count.event, UUID_TAIL)}`,
    token: () => `token-${head}-${numbered(++count.token, TOKEN_LENGTH - 12)}`,
  }
}

/** One key for everybody, always the same. */
export const createFixedVault = (): Vault => ({
  ...createMemoryVault(),
  makeKey: async () => VAULT_KEY,
  key: async () => VAULT_KEY,
  secret: async () => VAULT_KEY,
})

/** Films of ten minutes that every player can play. */
export function createFixedMedia(paths: readonly string[], durationMs: number): MemoryMedia {
  const keyframesMs = Array.from({ length: durationMs / 2000 }, (_, n) => n * 2000)
  const index = { zeroMs: 0, keyframesMs, videoStartMs: 0, audioStartMs: 0, videoEndMs: durationMs }
  return createMemoryMedia(Object.fromEntries(paths.map((path) => [path, { sizeBytes: 1000, modifiedAtMs: 0, index }])))
}
