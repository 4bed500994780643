/**
 * Keeps a projector's lease. If the lease engine is unavailable, the lease counts as still held: nobody else can acquire it either.
 * A projector that acquires it anyway fences this one off by its epoch. So views stay fresh during an outage of the lease engine.
 */
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Lease, Leases } from '../../src/ports/leases.ts'

export const LEASE_SECONDS = 15

/** Shorter than the interval at which other projectors look for views without a projector. */
const RETRY_MS = 250
/** A renewal in flight when the engine hung may still hold the lease until it expires. */
const GHOST_MS = LEASE_SECONDS * 1000 + 2000

export const projectorLease = (collection: string): string => `projector.${collection}`

/** Acquires the lease; null: another projector holds it. The token stays that of the first acquisition. */
export async function keepProjectorLease(
  { leases, clock }: { readonly leases: Leases; readonly clock: Clock },
  collection: string,
): Promise<Lease | null> {
  const acquire = () => leases.acquire(projectorLease(collection), LEASE_SECONDS, { fromEnded: true })
  const first = await acquire()
  if (!first) return null
  let current = first
  const lost = new AbortController()
  const end = (): void => lost.abort(new Error(`Another projector may keep ${collection}`))

  function watch(lease: Lease): void {
    current = lease
    if (lease.lost.aborted) void regain()
    else lease.lost.addEventListener('abort', () => void regain(), { once: true })
  }

  async function regain(): Promise<void> {
    let refusedAtMs: number | undefined
    while (!lost.signal.aborted) {
      await clock.sleep(RETRY_MS, lost.signal).catch(() => {})
      const again = lost.signal.aborted ? null : await acquire().catch(() => undefined)
      if (again) {
        if (lost.signal.aborted) await again.release().catch(() => {})
        else watch(again)
        return
      }
      if (again === null) refusedAtMs ??= clock.monotonic()
      if (refusedAtMs !== undefined && clock.monotonic() - refusedAtMs >= GHOST_MS) end()
    }
  }

  watch(first)
  return {
    token: first.token,
    ...omitUndefined({ takenFrom: first.takenFrom }),
    lost: lost.signal,
    async release() {
      end()
      await current.release()
    },
  }
}
