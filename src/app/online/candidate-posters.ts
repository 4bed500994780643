/**
 * Posters of match candidates, for pages that may load images of this server only. They are fetched small, decoded and encoded again, so
 * that nothing but an image of bounded size leaves the server, and kept for a short time.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import { boxOf } from '../../domain/images/image-size.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OnlineMetadata, OnlineImageName } from '../../ports/online-metadata.ts'
import { BadImage, type ImageMaker } from '../../ports/image-maker.ts'
import { askProvider, ONLINE_OFF } from './provider-requests.ts'

export interface CandidatePosters {
  /** JPEG. @throws the signal's reason once it is aborted */
  get(name: OnlineImageName, signal: AbortSignal): Promise<Uint8Array | Refusal>
}

export interface CandidatePostersDependencies {
  readonly clock: Clock
  readonly maker: ImageMaker
  /** Undefined: there is no provider. */
  readonly online: Pick<OnlineMetadata, 'image'> | undefined
}

const SMALL = { box: boxOf({ width: 240, fit: 'contain' }), form: 'image/jpeg', quality: 80 } as const
const KEPT_BYTES = 4 * 1024 * 1024
const KEEP_MS = 10 * 60_000
/** Three dialogs' worth. */
const WAITING_MAX = 60
const PATIENCE_MS = 15_000
const NO_SUCH_POSTER = refuse('not-found', 'There is no such poster')

export function createCandidatePosters({ clock, maker, online }: CandidatePostersDependencies): CandidatePosters {
  const kept = createLruCache<{ readonly bytes: Uint8Array; readonly until: number }>(KEPT_BYTES)
  const flights = createSingleFlight<Uint8Array | Refusal>()
  const semaphore = createSemaphore(maker.atOnce, { waitingMax: WAITING_MAX, patience: { clock, ms: PATIENCE_MS } })

  async function fetchPoster(provider: NonNullable<typeof online>, name: string, signal: AbortSignal): Promise<Uint8Array | Refusal> {
    const whole = await askProvider(clock, (within) => provider.image(name, within, 'small'), signal)
    if (whole === undefined || isRefusal(whole)) return whole ?? NO_SUCH_POSTER
    try {
      const { bytes } = await semaphore(() => maker.make(whole, SMALL))
      kept.put(name, { bytes, until: clock.monotonic() + KEEP_MS }, bytes.byteLength)
      return bytes
    } catch (cause) {
      if (cause instanceof BadImage) return NO_SUCH_POSTER
      throw cause
    }
  }

  return {
    async get(name, signal) {
      if (!online) return ONLINE_OFF
      const known = kept.get(name)
      if (known && known.until > clock.monotonic()) return known.bytes
      return flights.join(name, (wanted) => fetchPoster(online, name, wanted), signal)
    },
  }
}
