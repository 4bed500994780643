/** Fetches pictures of an online metadata provider, once for all concurrent requests. */
import type { OnlineImage } from '../../../projections/views/images.ts'
import { TimedOut, withTimeout } from '../../concurrency/timeout.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway, OnlineRefused, type OnlineMetadata, type OnlinePictureSize } from '../../ports/online-metadata.ts'
import { BadPicture } from '../../ports/pictures.ts'
import { imageTypeOf } from './image-type.ts'

export interface OnlinePictures {
  readonly hasProvider: boolean
  /**
   * Undefined if it is unavailable at the moment. @throws BadPicture if there is no such picture, it is no picture, or there is no provider
   */
  fetch(image: OnlineImage, size: OnlinePictureSize): Promise<Uint8Array | undefined>
}

export interface OnlinePicturesDependencies {
  readonly clock: Clock
  readonly online?: Pick<OnlineMetadata, 'picture'> | undefined
}

/** Time that a page load can wait. A later picture is ready for the next request. */
const FETCH_MS = 10_000
const GIVEN_UP_MS = 60_000

export function createOnlinePictures({ clock, online }: OnlinePicturesDependencies): OnlinePictures {
  const flights = createSingleFlight<Uint8Array | undefined>()

  async function fetchNamed(
    provider: Pick<OnlineMetadata, 'picture'>,
    name: string,
    size: OnlinePictureSize,
  ): Promise<Uint8Array | undefined> {
    const over = new AbortController()
    const disarm = clock.after(GIVEN_UP_MS, () => over.abort(new OnlineAway('The provider gives no picture')))
    const flight = flights.join(`${size}\0${name}`, (wanted) => provider.picture(name, wanted, size), over.signal).finally(disarm)
    return withTimeout(flight, { clock, ms: FETCH_MS, message: 'The provider gives no picture in time' })
  }

  return {
    hasProvider: online !== undefined,
    async fetch({ picture }, size) {
      if (!online) throw new BadPicture('There is no provider to fetch it from')
      let bytes: Uint8Array | undefined
      try {
        bytes = await fetchNamed(online, picture, size)
      } catch (cause) {
        if (cause instanceof OnlineAway || cause instanceof OnlineRefused || cause instanceof TimedOut) return undefined
        throw cause
      }
      if (!bytes || !imageTypeOf(bytes)) throw new BadPicture('The provider has no such JPEG, PNG or WebP')
      return bytes
    },
  }
}
