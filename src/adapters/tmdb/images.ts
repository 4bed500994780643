/** Fetches images of the provider: whole ones are kept permanently. The key is not sent to their host. */
import { hash } from 'node:crypto'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import { isOnlineImageName, OnlineAway, type OnlineMetadata, type OnlineImageName } from '../../ports/online-metadata.ts'
import type { StoredImage, ImageStore } from '../../ports/image-store.ts'
import type { ImageType } from '../../ports/image-maker.ts'
import type { Api } from './api.ts'
import type { Answer, Calls } from './calls.ts'
import { isConfiguration } from './shapes.ts'

export interface ImagesOptions {
  /** URL of the API. */
  readonly url: string
  readonly api: Api
  readonly calls: Calls
  readonly store: ImageStore
  readonly clock: Clock
}

const PUBLIC_API_HOST = 'api.themoviedb.org'
const PUBLIC_HOST = 'image.tmdb.org'
const PUBLIC_BASE = `https://${PUBLIC_HOST}/t/p/`
/** The only small size that both posters and backdrops have. */
const SMALL = 'w300'
const BYTES_MAX = 20 * 1024 * 1024
const TIME_MS = 30_000
const ABSENT_MAX = 1_000
const ABSENT_MS = 86_400_000
const CONFIGURATION_KEEP_MS = 86_400_000
const TYPES: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/webp']
const HEADERS = { accept: TYPES.join(', '), 'user-agent': 'Marquee' }
const TYPE = new RegExp(`^(?:${TYPES.join('|')})$`)

export function createImages({ url, api, calls, store, clock }: ImagesOptions): OnlineMetadata['image'] {
  const flights = createSingleFlight<Uint8Array | undefined>()
  /** Expiry of the record that an image does not exist, by key. */
  const absent = createLruCache<number>(ABSENT_MAX)

  /** Base URL of images: another server's answer counts if it names itself or the public host. */
  async function baseOf(signal: AbortSignal): Promise<URL> {
    const { host } = new URL(url)
    if (host === PUBLIC_API_HOST) return new URL(PUBLIC_BASE)
    const question = { path: '/configuration', query: {}, isRight: isConfiguration, keepMs: () => CONFIGURATION_KEEP_MS }
    const { base_url, secure_base_url } = (await api.ask(question, signal))?.images ?? {}
    const bases = [secure_base_url, base_url].flatMap((text) => (text && URL.canParse(text) ? new URL(text) : []))
    const base = bases.find((one) => /^https?:$/.test(one.protocol) && (one.host === host || one.host === PUBLIC_HOST))
    if (!base) throw new OnlineAway(`${host} names no place of images that is its own`)
    return new URL(
      base.host === PUBLIC_HOST ? PUBLIC_BASE : `${base.origin}${['', ...base.pathname.split('/').filter(Boolean), ''].join('/')}`,
    )
  }

  async function ask(address: URL, signal: AbortSignal): Promise<Pick<StoredImage, 'bytes' | 'type'> | undefined> {
    const answer = await calls({ url: address, headers: HEADERS, type: TYPE, bytesMax: BYTES_MAX, timeMs: TIME_MS }, signal)
    return readImage(answer, address)
  }

  async function fetchImage(key: string, address: URL, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const kept = await store.get(key)
    if (kept) return kept.bytes
    if ((absent.get(key) ?? 0) > clock.now()) return undefined
    const image = await ask(address, signal)
    if (!image) absent.put(key, clock.now() + ABSENT_MS)
    return image && store.put(key, image).bytes
  }

  return async (name: OnlineImageName, signal, size = 'whole') => {
    if (!isOnlineImageName(name)) return undefined
    const base = await baseOf(signal)
    const address = new URL(`original${name}`, base)
    const key = hash('sha256', address.href).slice(0, 32)
    if (size === 'small' && !(await store.get(key))) {
      const small = await ask(new URL(`${SMALL}${name}`, base), signal)
      // A server that imitates the public one may have no sizes.
      if (small) return small.bytes
    }
    return flights.join(key, (signal) => fetchImage(key, address, signal), signal)
  }
}

function readImage({ status, contentType, bytes }: Answer, { host }: URL): Pick<StoredImage, 'bytes' | 'type'> | undefined {
  if (status === 404) return undefined
  const type = TYPES.find((one) => one === contentType)
  if (status !== 200 || !type || bytes.byteLength === 0) throw new OnlineAway(`${host} answered ${status} and no image`)
  return { bytes, type }
}
