/**
 * Finds the movie and the media file that a file on disk is. If its content is known and gone from its old path, the file was moved.
 * Otherwise it is the media file of its path with new content. Otherwise the keys that make files versions of one movie decide. Otherwise
 * it is new. So a movie keeps its identity when its files are renamed, moved, replaced or swapped. One of several versions leaves its movie
 * if its new name or its new `.nfo` file says that it is another one.
 */
import { derivedId } from '../../events/derived-id.ts'
import { contradict } from '../../events/movie-keys.ts'
import type { FileId, LibraryId, MovieId } from '../../vocabulary/id.ts'
import type { FileStampDocument } from '../../../projections/views/file-stamps.ts'
import { sameStamp } from '../../domain/movies/movie.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Fingerprint, ListedFile, Media } from '../../ports/media.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { createVersionMatcher, haveSharedKey, type Keyed, type VersionMatcher } from './version-matching.ts'

export type KnownFile = FileStampDocument

export interface MatchedFile {
  readonly movieId: MovieId
  readonly fileId: FileId
  readonly how: 'known' | 'moved' | 'added'
  /** The file was missing until now. */
  readonly wasMissing: boolean
}

/** A file of the walk, as far as it was read. */
export interface ReadFile {
  readonly file: ListedFile
  readonly fingerprint: string
  readonly keyed: Keyed
  /** Digest of its companion files, if an `.nfo` file gives its title; undefined if its name does. */
  readonly titledBy?: string
  readonly claimed?: KnownFile
}

export interface KnownFiles {
  /** All files of the library in the read models. */
  readonly files: readonly KnownFile[]
  /** The known file at this path. */
  at(path: string): KnownFile | undefined
  /** Whether the file on disk is the known file of its path, unchanged. */
  isUnchanged(file: ListedFile): boolean
  /** Notes that a file was found at its known path. */
  markPresent(file: KnownFile): void
  isPresent(id: FileId): boolean
  /** The fingerprint by which the library knows this content, else the current one. */
  fingerprintOf(content: Fingerprint): string
  /** A known file with this content, at any path. */
  withContent(fingerprint: string): KnownFile | undefined
  /** The known file with this content that is gone from its path and was not found elsewhere: it was moved here. */
  claim(file: ListedFile, fingerprint: string): Promise<KnownFile | undefined>
  /** A function if files that are read later may decide: call it after them. */
  find(video: ReadFile): Promise<MatchedFile | (() => Promise<MatchedFile>)>
}

export interface FileMatchingDependencies {
  readonly readModels: Pick<ReadModels, 'fileStamps' | 'movieKeys'>
  readonly ids: Ids
  readonly media: Pick<Media, 'stamp'>
  /** Whether an administrator has set the movie of the file, which outranks its name and its `.nfo` file. */
  readonly isPinned: (file: KnownFile) => Promise<boolean>
}

interface State extends FileMatchingDependencies {
  readonly libraryId: LibraryId
  readonly walk: WalkedFiles
  readonly known: ReturnType<typeof indexed>
  readonly movies: VersionMatcher
  readonly standing: Map<FileId, string>
}

/** What the walk found. */
export interface WalkedFiles {
  /** Whether the walk would have seen a file at this path; other files are checked one by one when it matters. */
  looked(path: string): boolean
  /** What name and `.nfo` of the film at this path say now; undefined if the walk has not seen it. */
  keyedAt(path: string): Promise<Keyed | undefined>
}

export async function loadKnownFiles(deps: FileMatchingDependencies, libraryId: LibraryId, walk: WalkedFiles): Promise<KnownFiles> {
  const files: KnownFile[] = []
  const where = [{ field: 'libraryId', op: 'eq', value: libraryId }] as const
  for await (const file of deps.readModels.fileStamps.walk({ where })) files.push(file)
  const known = indexed(files)
  const standing = new Map<FileId, string>()
  const isInPlace = ({ id, path, missing }: KnownFile) => (standing.has(id) ? standing.get(id) === path : !missing && !walk.looked(path))
  const state: State = { ...deps, libraryId, walk, known, movies: createVersionMatcher(deps, libraryId, { files, isInPlace }), standing }

  return {
    files,
    claim: (file, fingerprint) => claim(state, file, fingerprint),
    at: (path) => known.byPath.get(path),
    markPresent: (file) => void standing.set(file.id, file.path),
    isPresent: (id) => standing.has(id),
    fingerprintOf({ current, former }) {
      const contents = known.byContent()
      return !contents.has(current) && contents.has(former) ? former : current
    },
    withContent: (fingerprint) =>
      known
        .byContent()
        .get(fingerprint)
        ?.find(({ companions }) => companions !== null),

    isUnchanged(file) {
      const here = known.byPath.get(file.path)
      if (!here || !sameStamp(here.stamp, file)) return false
      // Size and time match, but the inode belongs to another known file: two files have swapped places.
      return here.stamp.inode === file.inode || file.inode === null || !known.inodes().has(file.inode)
    },
    find: (file) => find(state, file),
  }
}

/**
 * The id derives from path and content, and the id of a new movie derives from it. Two scans may find the same file at once, if a paused
 * node does not know yet that another took over. Both then append to the same streams, where the revision exposes the conflict.
 */
function newFileId(state: State, path: string, fingerprint: string): FileId {
  const { libraryId, known } = state
  const derived = derivedId('file', `${libraryId}\0${path}\0${fingerprint}`)
  // The file that had this id was moved away, and the same content is here again.
  return known.ids().has(derived) ? state.ids.next<'file'>() : derived
}

async function claim(state: State, { path, inode }: ListedFile, fingerprint: string): Promise<KnownFile | undefined> {
  const { known, standing, walk } = state
  const others = (known.byContent().get(fingerprint) ?? []).filter(({ id }) => !standing.has(id))
  for (const file of others.toSorted((a, b) => likeness(b, path, inode) - likeness(a, path, inode) || (a.path < b.path ? -1 : 1))) {
    const gone = file.missing || walk.looked(file.path) || (await state.media.stamp(file.path)) === undefined
    if (!gone || standing.has(file.id)) continue
    standing.set(file.id, path)
    return file
  }
  return undefined
}

/** A version with the keys of another movie leaves its own, if another version stays there. */
async function leaves(state: State, file: KnownFile, keyed: Keyed): Promise<boolean> {
  const others = othersThere(state, file)
  if (others.length === 0) return false
  if (await isAnotherFilm(state, { file, others, keyed })) return true
  return !(await state.movies.fits(file.movieId, keyed)) && !(await state.isPinned(file))
}

interface Compared {
  readonly file: KnownFile
  readonly others: readonly KnownFile[]
  readonly keyed: Keyed
}

/** Whether its explicit id is another one than the pinned one, or than that of another version. */
async function isAnotherFilm({ movies, walk }: State, { file, others, keyed }: Compared): Promise<boolean> {
  if (!hasId(keyed)) return false
  const pinnedIds = await movies.pinnedIds(file.movieId)
  if (pinnedIds) return contradict(pinnedIds, keyed.externalIds)
  for (const { path } of others) {
    const other = await walk.keyedAt(path)
    if (other && contradict(other.externalIds, keyed.externalIds)) return true
  }
  return false
}

const hasId = ({ externalIds }: Keyed): boolean => externalIds.tmdb !== null || externalIds.imdb !== null

function othersThere({ known, standing }: State, file: KnownFile): readonly KnownFile[] {
  const versions = known.ofMovie().get(file.movieId) ?? []
  return versions.filter(({ id, path }) => id !== file.id && standing.get(id) === path)
}

/** Versions may get new `.nfo` files of the same film together, or share one: then their movie is renamed. */
async function isTitledApart(state: State, here: KnownFile, { keyed, titledBy }: ReadFile): Promise<boolean> {
  if (titledBy === undefined || titledBy === here.companions || !(await leaves(state, here, keyed))) return false
  for (const { path } of othersThere(state, here)) {
    const other = await state.walk.keyedAt(path)
    if (other && haveSharedKey(other, keyed)) return false
  }
  return true
}

function placed({ movies }: State, { movieId, id, missing }: KnownFile, how: MatchedFile['how'], keyed: Keyed): MatchedFile {
  movies.remember(movieId, id, keyed)
  return { movieId, fileId: id, how, wasMissing: missing }
}

async function find(state: State, video: ReadFile): Promise<MatchedFile | (() => Promise<MatchedFile>)> {
  const { known, standing } = state
  const { file, fingerprint, keyed, claimed } = video
  const here = known.byPath.get(file.path)
  if (here && standing.get(here.id) === file.path) {
    if (!(await isTitledApart(state, here, video))) return placed(state, here, 'known', keyed)
    standing.delete(here.id)
    return added(state, video)
  }
  const moved = claimed ?? (await claim(state, file, fingerprint))
  if (moved && !(await leaves(state, moved, keyed))) return placed(state, moved, 'moved', keyed)
  if (moved) standing.delete(moved.id)
  if (here && !standing.has(here.id)) {
    standing.set(here.id, file.path)
    return placed(state, here, 'known', keyed)
  }
  return added(state, video)
}

/** With another id in the new name of one of its files, the movie would turn out to be another film. */
async function added(state: State, video: ReadFile): Promise<MatchedFile | (() => Promise<MatchedFile>)> {
  const movieId = await state.movies.find(video.keyed)
  const mayMove = ({ id, path, missing }: KnownFile) => !state.standing.has(id) && (missing || state.walk.looked(path))
  const isOpen = movieId && hasId(video.keyed) && state.known.ofMovie().get(movieId)?.some(mayMove)
  if (isOpen) return async () => addedTo(state, video, await state.movies.find(video.keyed))
  return addedTo(state, video, movieId)
}

function addedTo(state: State, { file, fingerprint, keyed }: ReadFile, found: MovieId | undefined): MatchedFile {
  const fileId = newFileId(state, file.path, fingerprint)
  const movieId = found ?? derivedId('movie', fileId)
  state.movies.remember(movieId, fileId, keyed)
  return { movieId, fileId, how: 'added', wasMissing: false }
}

function indexed(files: readonly KnownFile[]) {
  const byPath = new Map<string, KnownFile>()
  // A path may have had several files over time: the present one counts.
  for (const file of files) if (!file.missing || !byPath.has(file.path)) byPath.set(file.path, file)
  let ids: ReadonlySet<FileId> | undefined
  let inodes: ReadonlySet<number> | undefined
  let byContent: ReadonlyMap<string, readonly KnownFile[]> | undefined
  let ofMovie: ReadonlyMap<MovieId, readonly KnownFile[]> | undefined
  return {
    byPath,
    ids: () => (ids ??= new Set(files.map(({ id }) => id))),
    inodes: () => (inodes ??= new Set(files.flatMap(({ missing, stamp }) => (missing || stamp.inode === null ? [] : [stamp.inode])))),
    byContent: () => (byContent ??= Map.groupBy(files, ({ fingerprint }) => fingerprint)),
    ofMovie: () => (ofMovie ??= Map.groupBy(files, ({ movieId }) => movieId)),
  }
}

/** Among several files with the same content, the one with the same inode, else with the same name, was moved. */
function likeness({ path, stamp }: KnownFile, to: string, inode: number | null): number {
  if (inode !== null && stamp.inode === inode) return 2
  return nameOf(path) === nameOf(to) ? 1 : 0
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
