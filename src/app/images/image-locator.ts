/**
 * Locates the source of an image by the image's id: a file beside a film, an online metadata provider, or the film itself. Checks the
 * caller's permissions.
 */
import type { LibraryId } from '../../vocabulary/id.ts'
import type { FileImage, ImageDocument, OnlineImage } from '../../../projections/views/images.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import { isVideo } from '../../domain/scans/file-names.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Media } from '../../ports/media.ts'
import { BadImage } from '../../ports/image-maker.ts'
import type { Stills } from '../../ports/stills.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { imageTypeOf } from './image-type.ts'
import { createOnlineImages, type OnlineImages, type OnlineImagesDependencies } from './online-images.ts'

/** `tint`: not urgent, and only the colours matter, so a small version is enough. */
export type ImageUse = 'show' | 'tint'

export interface ImageSource {
  /** Differs between different images. */
  readonly key: string
  /**
   * Returns a reader of the image's bytes; undefined if they are unreadable or too many.
   * @throws Late if the film takes too long; the reader throws BadImage if the bytes are no image
   */
  open(use: ImageUse): Promise<() => Promise<Uint8Array | undefined>>
}

export interface ImageSources {
  /** Undefined if there is nothing at its place, and never was as far as this node knows. */
  readonly source: ImageSource | undefined
  /** Substitutes if it turns out to be broken, best first. */
  readonly fallbacks: () => Promise<readonly ImageSource[]>
}

export interface FoundImage extends ImageSources {
  readonly isPublic: boolean
  /** Whether it is a backdrop or a logo, which are wider than high. */
  readonly isWide: boolean
}

export interface ImageLocator {
  /** Without a permission check. Undefined if there is no such image. */
  of(imageId: string): Promise<ImageSources | undefined>
  find(imageId: string, caller: Caller | null): Promise<FoundImage | Refusal>
}

export interface ImageLocatorDependencies extends OnlineImagesDependencies {
  readonly access: Access
  readonly readModels: ReadModels
  readonly media: Pick<Media, 'readSmall' | 'stamp'>
  readonly stills: Stills
}

const NO_IMAGE = refuse('not-found', 'There is no such image')
const BYTES_MAX = 20 * 1024 * 1024
/** A frame of a film on a slow drive takes long; it is still extracted for the next request. */
const STILL_MS = 20_000
const SEEN_MAX = 10_000
/** Minimum interval between two looks at a file that is requested often. */
const LOOK_MS = 2_000
const STAMP_MS = 5_000

export function createImageLocator(given: ImageLocatorDependencies): ImageLocator {
  const deps: Deps = { ...given, onlineImages: createOnlineImages(given) }
  const { access } = deps
  const look = createLooks(deps)
  const sourcesOf = (seen: Seen): ImageSources => ({ source: sourceOf(deps, seen), fallbacks: () => insteadOf(deps, seen.image) })
  return {
    async of(imageId) {
      const seen = await look(imageId)
      return seen && sourcesOf(seen)
    },
    async find(imageId, caller) {
      const seen = await look(imageId)
      const library = seen && access.libraries.get(seen.libraryId)
      if (!seen || !library) return NO_IMAGE
      const { publicImages: isPublic } = library.settings
      // Private and missing images look the same, also to strangers.
      if (!isPublic && !(caller && access.library(caller, library.id))) return NO_IMAGE
      const { kind } = seen.image
      return { isPublic, ...sourcesOf(seen), isWide: kind === 'backdrop' || kind === 'logo' }
    },
  }
}

interface Deps extends ImageLocatorDependencies {
  readonly onlineImages: OnlineImages
}

function sourceOf(deps: Deps, { image, stamp, isThere }: Seen): ImageSource | undefined {
  if (image.source === 'online') return onlineSource(deps, image)
  return isVideo(image.path) ? stillSource(deps, image) : fileSource(deps, image, { stamp, isThere })
}

/** The provider's image of the same kind; for a poster, then one from the film. */
async function insteadOf(deps: Deps, image: ImageDocument): Promise<readonly ImageSource[]> {
  const { readModels, onlineImages } = deps
  const { kind, movieId } = image
  if (kind === 'person' || (image.source === 'file' && isVideo(image.path))) return []
  const movie = await readModels.movies.get(movieId)
  if (!movie) return []
  const onlineId = image.source === 'file' && onlineImages.hasProvider ? movie.online?.artwork[kind] : undefined
  const online = onlineId ? await readModels.images.get(onlineId) : undefined
  return [...(online?.source === 'online' ? [onlineSource(deps, online)] : []), ...(kind === 'poster' ? await stillsOf(deps, movie) : [])]
}

async function stillsOf(deps: Deps, movie: MovieDocument): Promise<readonly ImageSource[]> {
  const [primary] = await deps.readModels.filesOf(movie)
  if (!primary || primary.missing) return []
  return [stillSource(deps, { id: `${movie.id}\0${primary.fingerprint}`, movieId: movie.id, path: primary.path })]
}

/** All libraries share one image of the provider. */
function onlineSource({ onlineImages }: Deps, image: OnlineImage): ImageSource {
  return {
    key: `online\0${image.picture}`,
    async open(use) {
      // Fetch before the resize queue: the provider may be slow.
      const bytes = await onlineImages.fetch(image, use === 'tint' ? 'small' : 'whole')
      return async () => bytes
    },
  }
}

function fileSource(
  { media }: Deps,
  { id, path }: FileImage,
  { stamp, isThere }: Pick<Seen, 'stamp' | 'isThere'>,
): ImageSource | undefined {
  if (stamp === undefined) return undefined
  const read = async () => {
    const bytes = isThere ? await media.readSmall(path, BYTES_MAX) : undefined
    if (bytes && !imageTypeOf(bytes)) throw new BadImage('It is no JPEG, PNG or WebP')
    return bytes
  }
  return { key: `${id}\0${stamp}`, open: async () => read }
}

interface Still extends Pick<FileImage, 'movieId' | 'path'> {
  /** Derives from the film's content. */
  readonly id: string
}

function stillSource(deps: Deps, image: Still): ImageSource {
  return {
    key: image.id,
    async open(use) {
      // Extract before the resize queue: ffmpeg has a queue of its own.
      const bytes = await withTimeout(stillOf(deps, image, use), {
        clock: deps.clock,
        ms: STILL_MS,
        message: 'The film gives no image in time',
      })
      return async () => bytes
    },
  }
}

/** An image from the film; undefined if the file no longer belongs to the movie. */
async function stillOf({ readModels, stills }: Deps, { movieId, path }: Still, use: ImageUse): Promise<Uint8Array | undefined> {
  const movie = await readModels.movies.get(movieId)
  const file = movie && (await readModels.filesOf(movie)).find((one) => one.path === path && !one.missing)
  if (!file?.media) return undefined
  return stills.still({ path, fingerprint: file.fingerprint, durationMs: file.media.durationMs, isBackground: use === 'tint' })
}

/** The last known state of an image. */
interface Seen {
  readonly image: ImageDocument
  readonly libraryId: LibraryId
  /** Size and time of its file; undefined if there never was a file. */
  readonly stamp: string | undefined
  readonly isThere: boolean
  readonly atMs: number
}

/**
 * Looks up images and their files. If a file cannot be accessed, because its drive is offline, the last known state counts: a resized
 * image may still be stored. Permissions are not cached here, and are checked on each request.
 */
function createLooks({ clock, readModels, media }: ImageLocatorDependencies): (id: string) => Promise<Seen | undefined> {
  const seen = createLruCache<Seen>(SEEN_MAX)

  async function stampOf(image: ImageDocument): Promise<string | undefined> {
    if (image.source === 'online' || isVideo(image.path)) return undefined
    const { path } = image
    const stamp = await withTimeout(media.stamp(path), { clock, ms: STAMP_MS, message: 'Its disk does not answer' }).catch(() => undefined)
    return stamp && `${stamp.sizeBytes}\0${stamp.modifiedAtMs}`
  }

  return async (id) => {
    const known = seen.get(id)
    if (known && clock.monotonic() - known.atMs < LOOK_MS) return known
    const image = await readModels.images.get(id)
    const movie = image && (await readModels.movies.getPart(image.movieId, ['libraryId']))
    if (!movie) return undefined
    const stamp = await stampOf(image)
    const now = {
      image,
      libraryId: movie.libraryId,
      stamp: stamp ?? known?.stamp,
      isThere: stamp !== undefined,
      atMs: clock.monotonic(),
    }
    seen.put(id, now)
    return now
  }
}
