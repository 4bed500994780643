/**
 * Serves images to clients: which image an id means, who may see it, and in which of a few sizes and formats it is made. Results are
 * stored. If an image cannot be made, a neutral placeholder is served, and the next attempt is delayed.
 */
import { hash } from 'node:crypto'
import { boxOf, qualityOf, type ImageOptions } from '../../domain/images/image-size.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { TimedOut } from '../../concurrency/timeout.ts'
import { createSemaphore, QueueFull, type Semaphore } from '../../concurrency/semaphore.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import { createSingleFlight, type SingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredImage, ImageStore } from '../../ports/image-store.ts'
import { BadImage, type ImageForm, type ImageMaker, type Making } from '../../ports/image-maker.ts'
import type { Size } from '../../vocabulary/image-box.ts'
import type { Caller } from '../access/caller.ts'
import {
  createImageLocator,
  type ImageSources,
  type ImageSource,
  type ImageLocatorDependencies,
  type ImageLocator,
} from './image-locator.ts'

export interface ImageRequest extends ImageOptions {
  readonly form: ImageForm
}

export interface ServedImage extends StoredImage {
  /** Whether its library shows its images to everybody who knows their ids. */
  readonly isPublic: boolean
  /** It stands in for the requested image, which is unavailable at the moment. */
  readonly isPlaceholder: boolean
}

interface AskedBy {
  readonly caller: Caller | null
  /** Aborts when the client has disconnected. Called only if an image has to be made. */
  readonly signal: () => AbortSignal
}

export interface Images {
  /** Checks the caller's permissions unless public. @throws the signal's reason once it is aborted */
  get(imageId: string, ask: ImageRequest, by: AskedBy): Promise<ServedImage | Refusal>
  /**
   * Mean colour of the displayed image, `#rrggbb`. Null if only a placeholder is displayed; undefined if it is unavailable at the moment.
   */
  tint(imageId: string): Promise<string | null | undefined>
}

export interface ImagesDependencies extends ImageLocatorDependencies {
  readonly clock: Clock
  readonly maker: ImageMaker
  readonly store: ImageStore
}

/** An image that is to be made. */
interface MissingImage {
  /** Key of the result in the store. */
  readonly key: string
  readonly making: Making
  readonly read: () => Promise<Uint8Array | undefined>
}

/** Increment it when images are made differently: stored results are then no longer found. */
const RECIPE = 1
const WAITING_MAX = 200
const PATIENCE_MS = 15_000
const BROKEN_MAX = 10_000
const BROKEN_MS = 5 * 60_000
const HIGH = { width: 1280, height: 1920 }
const WIDE = { width: 1920, height: 1080 }
const BUSY = refuse('unavailable', 'Too many images are being resized: try again', { retryAfterSeconds: 2 })

interface State extends ImagesDependencies {
  readonly sources: ImageLocator
  readonly flights: SingleFlight<StoredImage | undefined>
  readonly semaphore: Semaphore
  /** Time until which a source, by its key, is not retried. */
  readonly broken: LruCache<number>
}

export function createImages(deps: ImagesDependencies): Images {
  const { clock, maker } = deps
  const state: State = {
    ...deps,
    sources: createImageLocator(deps),
    flights: createSingleFlight(),
    semaphore: createSemaphore(maker.atOnce, { waitingMax: WAITING_MAX, patience: { clock, ms: PATIENCE_MS } }),
    broken: createLruCache(BROKEN_MAX),
  }

  return {
    get: (imageId, ask, by) => get(state, imageId, ask, by),
    tint: (imageId) => tint(state, imageId),
  }
}

/** Made once for all concurrent requests, unless all of them are aborted before it starts. */
function make(
  { store, maker, flights, semaphore }: State,
  { key, making, read }: MissingImage,
  signal: AskedBy['signal'],
): Promise<StoredImage | undefined> {
  const work = async (wanted: AbortSignal) => {
    wanted.throwIfAborted()
    // A concurrent request may have stored it since the lookup.
    const kept = await store.get(key)
    const bytes = kept ? undefined : await read()
    return bytes ? store.put(key, await maker.make(bytes, making)) : kept
  }
  return flights.join(key, (wanted) => semaphore(() => work(wanted)), signal())
}

async function unlessBroken<Value>({ broken, clock }: State, source: ImageSource, work: () => Promise<Value>): Promise<Value | 'broken'> {
  if ((broken.get(source.key) ?? -Infinity) > clock.monotonic()) return 'broken'
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof BadImage)) throw cause
    broken.put(source.key, clock.monotonic() + BROKEN_MS)
    return 'broken'
  }
}

/** Undefined if it is unavailable at the moment. */
async function had(
  state: State,
  source: ImageSource,
  making: Making,
  signal: AskedBy['signal'],
): Promise<StoredImage | 'broken' | undefined> {
  const key = keyOf(source.key, making)
  const kept = await state.store.get(key)
  return kept ?? unlessBroken(state, source, async () => make(state, { key, making, read: await source.open('show') }, signal))
}

const tinted = (state: State, source: ImageSource): Promise<{ readonly tint: string } | 'broken' | undefined> =>
  unlessBroken(state, source, async () => {
    const read = await source.open('tint')
    return state.semaphore(async () => {
      const bytes = await read()
      return bytes && { tint: await state.maker.tint(bytes) }
    })
  })

async function placeholder(state: State, size: Size, making: Making, signal: AskedBy['signal']): Promise<StoredImage> {
  const { store, maker } = state
  const key = keyOf(`${size.width}x${size.height}`, making)
  const image = (await store.get(key)) ?? (await make(state, { key, making, read: () => maker.blank(size) }, signal))
  if (!image) throw new Error('There is no neutral image')
  return image
}

async function get(state: State, imageId: string, ask: ImageRequest, { caller, signal }: AskedBy): Promise<ServedImage | Refusal> {
  const found = await state.sources.find(imageId, caller)
  if (isRefusal(found)) return found
  const { isPublic, isWide } = found
  const making = makingOf(ask)
  try {
    const image = await firstSound(found, (source) => had(state, source, making, signal))
    if (image && image !== 'broken') return { ...image, isPublic, isPlaceholder: false }
    return { ...(await placeholder(state, isWide ? WIDE : HIGH, making, signal)), isPublic, isPlaceholder: true }
  } catch (cause) {
    if (isBusy(cause)) return BUSY
    throw cause
  }
}

async function tint(state: State, imageId: string): Promise<string | null | undefined> {
  const found = await state.sources.of(imageId)
  if (!found) return null
  try {
    const best = await firstSound(found, (source) => tinted(state, source))
    return best === 'broken' ? null : best?.tint
  } catch (cause) {
    if (isBusy(cause)) return undefined
    throw cause
  }
}

const isBusy = (cause: unknown): boolean => cause instanceof QueueFull || cause instanceof TimedOut

/** The result of the first source that is not broken. */
async function firstSound<Had>(
  found: ImageSources,
  had: (source: ImageSource) => Promise<Had | 'broken' | undefined>,
): Promise<Had | 'broken' | undefined> {
  const first = found.source && (await had(found.source))
  if (first !== 'broken') return first
  for (const source of await found.fallbacks()) {
    const next = await had(source)
    if (next !== 'broken') return next
  }
  return 'broken'
}

/** Normalizes members that make no difference, so that they make no further variant. */
function makingOf(ask: ImageRequest): Making {
  const { form } = ask
  return { box: boxOf(ask), form, quality: form === 'image/png' ? 0 : qualityOf(ask) }
}

function keyOf(source: string, { box, form, quality }: Making): string {
  return hash('sha256', [RECIPE, source, box.width, box.height, box.fit, form, quality].join('\0'), 'hex').slice(0, 32)
}
