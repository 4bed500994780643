/** Reads one film: its file, its name and the files beside it, before it is placed in a library. */
import { createHash } from 'node:crypto'
import type { ArtworkKind, MovieFacts } from '../../events/movie-events.ts'
import { keyedId } from '../../events/derived-id.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import { NOTHING_KNOWN } from '../../../projections/views/movie-document.ts'
import type { FolderVideo } from '../../domain/scans/videos-in-folder.ts'
import type { MovieName } from '../../domain/scans/movie-name.ts'
import type { FoundMediaFile, MovieArtwork, StillOf } from '../../domain/movies/movie.ts'
import type { ListedFile, Media } from '../../ports/media.ts'
import { TextUnreadable, type TextReader } from '../../ports/text-reader.ts'
import type { VideoFolder } from './folder-groups.ts'

/** A film file found by the walk. */
export interface WalkedVideo extends FolderVideo<ListedFile> {
  readonly root: string
  /** Device number of the file system; undefined if it is not known. */
  readonly device: number | undefined
  /** Stamps of the files in the film's folder, by path. */
  readonly beside: ReadonlyMap<string, ListedFile>
}

/** The films of a folder, in the form that a scan processes. */
export function walkedVideos(folder: VideoFolder, root: string, videos: readonly FolderVideo<ListedFile>[]): readonly WalkedVideo[] {
  const files = [...folder.files, ...folder.subtitles]
  const beside = files.length > videos.length ? new Map(files.map((file) => [file.path, file])) : NOTHING_BESIDE
  return videos.map((video) => ({ ...video, root, device: folder.device, beside }))
}

const NOTHING_BESIDE: ReadonlyMap<string, ListedFile> = new Map()

/** Facts about a film, without the ids of movie and file. */
export type ReadVideo = Omit<FoundMediaFile, 'movieId' | 'libraryId' | 'fileId'>

const NFO_BYTES_MAX = 1024 * 1024

export interface ReadContent {
  readonly media: MediaDescription
  readonly fingerprint: string
  readonly libraryId: LibraryId
  /** Image ids derive from it (image-key.ts). */
  readonly imageKey: Uint8Array
}

export interface Readers {
  readonly media: Media
  readonly reader: TextReader
}

/** Reads the film's name and the files beside it, and combines them with the known content of the file. */
export async function readVideo(from: Readers, video: WalkedVideo, content: ReadContent): Promise<ReadVideo> {
  const { file, root } = video
  const { sizeBytes, modifiedAtMs, inode } = file
  return {
    location: { path: file.path, root, stamp: { sizeBytes, modifiedAtMs, inode }, fingerprint: content.fingerprint },
    media: content.media,
    sidecars: video.subtitles,
    companions: companionsOf(video),
    identity: await identify(from, video),
    artwork: artworkOf(video, content),
  }
}

/** Digest of names, sizes and times of the film's companion files, and of whether it is alone in its folder, which affects its name. */
export function companionsOf({ alone, beside, subtitles, nfoPath, artworkPaths }: WalkedVideo): string {
  if (beside.size === 0) return alone ? 'alone' : 'none'
  const paths = [nfoPath, ...Object.values(artworkPaths), ...subtitles.map(({ path }) => path)]
  const stamps = paths.map((path) => {
    const file = path === null ? undefined : beside.get(path)
    return file ? `${file.name}\0${file.sizeBytes}\0${file.modifiedAtMs}` : ''
  })
  const text = stamps.join('\n')
  if (text.trim() === '') return alone ? 'alone' : 'none'
  return createHash('sha256').update(`${alone}\n${text}`).digest('base64url').slice(0, 22)
}

/** What its name and the `.nfo` file beside it say about a film. */
export async function identify({ media, reader }: Readers, { name: readName, nfoPath }: WalkedVideo): Promise<FoundMediaFile['identity']> {
  const name = readName()
  const bytes = nfoPath ? await media.readSmall(nfoPath, NFO_BYTES_MAX) : undefined
  const nfo = bytes && (await reader.nfo(bytes).catch(nothingIfUnreadable))
  const facts: MovieFacts = {
    ...NOTHING_KNOWN,
    cast: [],
    crew: [],
    ...nfo,
    title: nfo?.title ?? name.title,
    year: nfo?.year ?? name.year,
    externalIds: idsOf(nfo, name),
  }
  if (nfo?.title) return { source: 'nfo', confidence: 1, facts }
  return { source: 'name', confidence: name.year === null ? 0.5 : 0.8, facts }
}

/** The film is then found by its name, as with a broken NFO file. */
function nothingIfUnreadable(cause: unknown): undefined {
  if (!(cause instanceof TextUnreadable)) throw cause
}

function idsOf(nfo: Partial<MovieFacts> | undefined, { externalIds }: MovieName): MovieFacts['externalIds'] {
  return { tmdb: externalIds.tmdb ?? nfo?.externalIds?.tmdb ?? null, imdb: externalIds.imdb ?? nfo?.externalIds?.imdb ?? null }
}

/**
 * An image's id derives from its library and its file's name, size and time: a changed image gets another id, so caches may keep each one
 * permanently. A film without a poster beside it uses a frame of its own, under the film's path.
 */
function artworkOf({ file, beside, artworkPaths }: WalkedVideo, { fingerprint, libraryId, imageKey }: ReadContent): MovieArtwork {
  const choose = (kind: ArtworkKind) => {
    const found = beside.get(artworkPaths[kind] ?? '')
    if (!found) return null
    return {
      imageId: keyedId('image', imageKey, `${libraryId}\0${found.path}\0${found.sizeBytes}\0${found.modifiedAtMs}`),
      path: found.path,
    }
  }
  const still = stillsWith(libraryId, imageKey)({ path: file.path, fingerprint })
  return { poster: choose('poster') ?? still, backdrop: choose('backdrop'), logo: choose('logo') }
}

export const stillsWith =
  (libraryId: LibraryId, imageKey: Uint8Array): StillOf =>
  ({ path, fingerprint }) => ({ imageId: keyedId('image', imageKey, `${libraryId}\0${path}\0${fingerprint}`), path })
