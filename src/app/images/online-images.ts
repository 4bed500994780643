/** Fetches images of an online metadata provider, once for all concurrent requests. */
import type { OnlineImage } from '../../../projections/views/images.ts'
import { TimedOut, withTimeout } from '../../concurrency/timeout.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway, OnlineRefused, type OnlineMetadata, type OnlineImageSize } from '../../ports/online-metadata.ts'
import { BadImage } from '../../ports/image-maker.ts'
import { imageTypeOf } from './image-type.ts'

export interface OnlineImages {
  readonly hasProvider: boolean
  /**
   * Undefined if it is unavailable at the moment. @throws BadImage if there is no such image, it is no image, or there is no provider
   */
  fetch(image: OnlineImage, size: OnlineImageSize): Promise<Uint8Array | undefined>
}

export interface OnlineImagesDependencies {
  readonly clock: Clock
  readonly online?: Pick<OnlineMetadata, 'image'> | undefined
}

/** Time that a page load can wait. A later image is ready for the next request. */
const FETCH_MS = 10_000
const GIVEN_UP_MS = 60_000

export function createOnlineImages({ clock, online }: OnlineImagesDependencies): OnlineImages {
  const flights = createSingleFlight<Uint8Array | undefined>()

  async function fetchNamed(provider: Pick<OnlineMetadata, 'image'>, name: string, size: OnlineImageSize): Promise<Uint8Array | undefined> {
    const over = new AbortController()
    const disarm = clock.after(GIVEN_UP_MS, () => over.abort(new OnlineAway('The provider gives no image')))
    const flight = flights.join(`${size}\0${name}`, (wanted) => provider.image(name, wanted, size), over.signal).finally(disarm)
    return withTimeout(flight, { clock, ms: FETCH_MS, message: 'The provider gives no image in time' })
  }

  return {
    hasProvider: online !== undefined,
    async fetch({ picture }, size) {
      if (!online) throw new BadImage('There is no provider to fetch it from')
      let bytes: Uint8Array | undefined
      try {
        bytes = await fetchNamed(online, picture, size)
      } catch (cause) {
        if (cause instanceof OnlineAway || cause instanceof OnlineRefused || cause instanceof TimedOut) return undefined
        throw cause
      }
      if (!bytes || !imageTypeOf(bytes)) throw new BadImage('The provider has no such JPEG, PNG or WebP')
      return bytes
    },
  }
}
