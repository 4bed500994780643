/** Finds the films in one folder, and their companion files: subtitles, `.nfo`, artwork. */
import type { ArtworkKind } from '../../events/movie-events.ts'
import type { SubtitleTrack } from '../../vocabulary/media-description.ts'
import { MAX_SUBTITLE_BYTES } from '../../vocabulary/subtitle-format.ts'
import { foldText } from '../../vocabulary/text.ts'
import { findArtwork, imagePathsOf } from './movie-artwork.ts'
import type { MovieName } from './movie-name.ts'
import { readMovieName } from './movie-name.ts'
import { namesMovie, nameInFolder } from './name-in-folder.ts'
import { readLooseSubtitleName, readSubtitleName } from './subtitle-name.ts'
import { extensionOf, fileKey, isVideo, longestStem, restAfter, stemOf } from './file-names.ts'

export interface FolderFile {
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
}

export interface Folder<File extends FolderFile> {
  readonly path: string
  readonly files: readonly File[]
  /** Files in the subtitle folders below it. */
  readonly subtitles?: readonly File[]
  /** It is, or lies in, a folder of a film's bonus material. */
  readonly isBonus?: boolean
}

export interface FolderVideo<File extends FolderFile> {
  readonly file: File
  /** The only film of its folder. */
  readonly alone: boolean
  /** From the folder's name, else from the file's. Computed on demand: an unchanged film does not need it. */
  readonly name: () => MovieName
  readonly subtitles: readonly SubtitleTrack[]
  readonly nfoPath: string | null
  readonly artworkPaths: Readonly<Record<ArtworkKind, string | null>>
}

export interface FolderContents<File extends FolderFile> {
  readonly videos: readonly FolderVideo<File>[]
  /** Files that are no film and belong to none: samples, trailers, texts, leftovers. */
  readonly ignored: number
}

export interface Surroundings {
  /** The library's root that is or contains the folder. */
  readonly root: string
  readonly thisYear: number
}

/** Folders of bonus material and of discs; their names count only below the root. */
const EXTRAS =
  /^(?:extras?|featurettes?|trailers?|samples?|bonus|behind the scenes|deleted scenes|interviews|subs|subtitles?|video_ts|audio_ts|bdmv|certificate)$/i
/** Those of Plex and Jellyfin whose names may as well be those of folders of films: they count only beside a film. */
const BONUS_BESIDE_FILM = /^(?:shorts|scenes|other|clips|backdrops|specials)$/i
const SUBTITLE_FOLDER = /^(?:subs|subtitles?)$/i
const EXTRA_FILE =
  /^(?:sample|trailer)$|^sample[-._]|(?:[-._]| - )(?:sample|trailer\d?)$|-(?:behindthescenes|deleted|featurette|interview|scene|short|clip|extras?)$/i
const SUBTITLES: Readonly<Record<string, string>> = { srt: 'subrip', vtt: 'webvtt', ass: 'ass', ssa: 'ass' }

/**
 * The folder of the films that the subtitles in this folder belong to: `A Film/Subs`, and `Films/Subs/A Film` with a folder for each film.
 * Undefined for other folders.
 */
export function subtitleHome(path: string, root: string): string | undefined {
  const below = path.slice(root.length).split('/')
  const depth = below.findIndex((name) => SUBTITLE_FOLDER.test(name))
  if (depth < 0 || depth < below.length - 2) return undefined
  return root + below.slice(0, depth).join('/')
}

/**
 * The folders whose bonus material this one is, or lies in, if a film is in them; the highest first. The library's root is none: a folder in
 * it is a group of films.
 */
export function bonusHomes(path: string, root: string): readonly string[] {
  const below = path.slice(root.length).split('/')
  return below.flatMap((name, depth) => (depth > 1 && BONUS_BESIDE_FILM.test(name) ? [root + below.slice(0, depth).join('/')] : []))
}

/** Whether a film is in the folder that the folder's name names. */
export function isMovieFolder({ path, files }: Folder<FolderFile>, thisYear: number): boolean {
  const folder = readMovieName(path.split('/').at(-1) ?? '', thisYear)
  const isNamed = ({ name }: FolderFile) => foldText(readMovieName(name, thisYear).title) === foldText(folder.title)
  return files.some((file) => isMainVideo(file) && (namesMovie(folder) || isNamed(file)))
}

export function videosInFolder<File extends FolderFile>(folder: Folder<File>, { root, thisYear }: Surroundings): FolderContents<File> {
  const below = folder.path.slice(root.length).split('/')
  if (folder.isBonus || below.some((name) => EXTRAS.test(name))) return { videos: [], ignored: folder.files.length }
  const videoFiles = folder.files.filter(isMainVideo)
  const alone = videoFiles.length === 1
  const folderName = folder.path === root ? '' : (below.at(-1) ?? '')
  const names = videoFiles.map((file) => once(() => nameInFolder(file, { folderName, alone, thisYear })))
  const shared = alone || (folderName !== '' && isOneTitle(names))
  const files = [...folder.files, ...(folder.subtitles ?? [])]
  const beside = besideVideos(files, { path: folder.path, folderName, videos: videoFiles, shared })
  const videos = names.flatMap((name, index) => {
    const file = videoFiles[index]
    return file ? [{ file, name, alone, ...beside(stemOf(file.name)) }] : []
  })
  return { videos, ignored: countIgnored(files, videos) }
}

const isMainVideo = ({ name }: FolderFile): boolean => isVideo(name) && !EXTRA_FILE.test(stemOf(name))

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Stops at the first other title: a folder may hold thousands of films. */
function isOneTitle([first, ...others]: readonly (() => MovieName)[]): boolean {
  const titleOf = (name: () => MovieName) => `${foldText(name().title)}:${name().year}`
  return first !== undefined && others.every((name) => titleOf(name) === titleOf(first))
}

interface Ownership {
  readonly path: string
  readonly folderName: string
  readonly videos: readonly FolderFile[]
  /** They are one movie: its versions share the folder's `.nfo` and images, and the subtitles that bear the name of none of them. */
  readonly shared: boolean
}

type Beside = Pick<FolderVideo<FolderFile>, 'subtitles' | 'nfoPath' | 'artworkPaths'>

/** Reads a folder's files once, then answers for each stem: a folder may hold thousands of films. */
function besideVideos(files: readonly FolderFile[], { path, folderName, videos, shared }: Ownership): (stem: string) => Beside {
  const filled = files.filter((file) => file.sizeBytes > 0)
  const texts = new Map(filled.flatMap(({ name, path }) => (extensionOf(name) === 'nfo' ? [[fileKey(name), path]] : [])))
  const images = imagePathsOf(filled)
  const subtitles = filled.filter(({ name, sizeBytes }) => SUBTITLES[extensionOf(name)] !== undefined && sizeBytes <= MAX_SUBTITLE_BYTES)
  const subfolderOf = (file: FolderFile): string => file.path.slice(path.length).split('/').at(-2) ?? ''
  const stems = new Set(subtitles.length === 0 ? [] : videos.map((file) => fileKey(stemOf(file.name))))
  const named = Map.groupBy(subtitles, (file) => longestStem(file.name, stems) ?? longestStem(subfolderOf(file), stems))
  const common = new Set(shared ? named.get(undefined) : [])
  const subtitlesOf = (key: string): readonly FolderFile[] => {
    const own = named.get(key) ?? []
    return common.size === 0 ? own : subtitles.filter((file) => common.has(file) || own.includes(file))
  }
  return (stem) => {
    const key = fileKey(stem)
    return {
      subtitles: subtitlesOf(key).map((file) => subtitleTrack(file, stem, folderName)),
      nfoPath: texts.get(`${key}.nfo`) ?? (shared ? texts.get('movie.nfo') : undefined) ?? null,
      artworkPaths: findArtwork(images, key, shared),
    }
  }
}

function subtitleTrack({ name, path }: FolderFile, stem: string, folderName: string): SubtitleTrack {
  const own = name.slice(0, name.lastIndexOf('.'))
  const rest = restAfter(own, stem)
  const fromName = rest === undefined ? readLooseSubtitleName(restAfter(own, folderName) ?? own) : readSubtitleName(rest)
  return { stream: null, path, codec: SUBTITLES[extensionOf(name)] ?? 'unknown', ...fromName }
}

function countIgnored(files: readonly FolderFile[], videos: readonly FolderVideo<FolderFile>[]): number {
  if (videos.length === files.length) return 0
  const used = new Set(
    videos.flatMap(({ file, nfoPath, subtitles, artworkPaths }) => [
      file.path,
      nfoPath,
      ...subtitles.map(({ path }) => path),
      ...Object.values(artworkPaths),
    ]),
  )
  return files.filter((file) => !used.has(file.path)).length
}
