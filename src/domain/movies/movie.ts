/**
 * Movie: what scans have found of it. Users' marks and history belong to the movie, not to a path: files appear, disappear, move and are
 * replaced, but the movie stays.
 */
import type { DomainEvent, EventData } from '../../events/catalogue.ts'
import {
  TINTED_KINDS,
  type Artwork,
  type ArtworkKind,
  type EditableFacts,
  type ImageTint,
  type TintedKind,
} from '../../events/movie-events.ts'
import type { FileId, LibraryId, MovieId } from '../../vocabulary/id.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../../vocabulary/media-description.ts'
import type { Decider, Decision } from '../decider.ts'
import { knownOf, withoutOutdated, type KnownOnline } from '../online/online-match.ts'
import { isVideo } from '../scans/file-names.ts'
import { combined, isSameIdentity, type Identity } from './identification.ts'

export type MovieArtwork = Readonly<Record<ArtworkKind, Artwork | null>>

interface KnownFile {
  readonly path: string
  readonly stamp: FileStamp
  readonly missing: boolean
  /** The data of MovieProbed, as text for comparison. */
  readonly probed: string
  readonly fingerprint: string
  /** Fingerprint of the content that thumbnails were made of; absent without such thumbnails. */
  readonly trickplay?: string
  /** What its name and its `.nfo` file say; absent if that is what the movie is identified as, or unknown in an old log. */
  readonly says?: Identity
  /** It was a file of the movie when an administrator set which film that is. */
  readonly pinned?: true
}

export interface MovieState {
  readonly movie: { readonly movieId: MovieId; readonly libraryId: LibraryId } | null
  readonly identity: EventData['MovieIdentified'] | null
  readonly artwork: MovieArtwork
  readonly files: ReadonlyMap<FileId, KnownFile>
  readonly tints: Readonly<Record<TintedKind, ImageTint | null>>
  /** Edits by administrators (movie-corrections.ts). */
  readonly edits: Partial<EditableFacts>
  readonly pin: EventData['MovieMatchPinned'] | null
  /** A provider's metadata of this film (online-match.ts). */
  readonly online: KnownOnline | null
}

const NO_ARTWORK: MovieArtwork = { poster: null, backdrop: null, logo: null }
const NO_TINTS: MovieState['tints'] = { poster: null, backdrop: null }

export const movie: Decider<MovieState> = {
  initial: { movie: null, identity: null, artwork: NO_ARTWORK, files: new Map(), tints: NO_TINTS, edits: {}, pin: null, online: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'MovieDiscovered':
        return { ...state, movie: event.data }
      case 'MovieIdentified':
        return identifiedAs(state, event.data)
      case 'MovieEdited':
        return { ...state, edits: { ...state.edits, ...event.data.changes } }
      case 'MovieMatchPinned':
        return withPin(state, event.data)
      case 'MovieMatchedOnline':
        return { ...state, online: knownOf(event.data) }
      case 'MovieUnmatchedOnline':
        return { ...state, online: null }
      case 'MovieArtworkChosen':
        return { ...state, artwork: event.data.artwork }
      case 'MovieFileAdded':
      case 'MovieFileReplaced':
        return withContent(state, event.data.fileId, locatedAt(event.data))
      case 'MovieFileMoved':
        return withFile(state, event.data.fileId, locatedAt(event.data))
      case 'MovieProbed':
        return withFile(state, event.data.fileId, { probed: probedText(event.data), ...saying(event.data.identity) })
      case 'TrickplayMade':
        return withFile(state, event.data.fileId, { trickplay: event.data.fingerprint })
      case 'MovieImagesTinted':
        return {
          ...state,
          tints: { poster: event.data.poster ?? state.tints.poster, backdrop: event.data.backdrop ?? state.tints.backdrop },
        }
      case 'MovieFileMissing':
        return withFile(state, event.data.fileId, { missing: true })
      case 'MovieFileReturned':
        return withFile(state, event.data.fileId, { missing: false })
      default:
        return state
    }
  },
}

const locatedAt = ({ path, stamp, fingerprint }: EventData['MovieFileMoved']) => ({ path, stamp, fingerprint, missing: false })

const saying = (says: Identity | undefined) => omitUndefined({ says })

/** Forgets the thumbnails of the old content, too: if it returns, a new event records them. */
function withContent(state: MovieState, id: FileId, located: ReturnType<typeof locatedAt>): MovieState {
  const { says, pinned } = state.files.get(id) ?? {}
  return { ...state, files: new Map(state.files).set(id, { ...located, probed: '', ...omitUndefined({ says, pinned }) }) }
}

function withPin(state: MovieState, pin: EventData['MovieMatchPinned']): MovieState {
  return { ...state, pin, files: new Map([...state.files].map(([id, file]) => [id, { ...file, pinned: true }])) }
}

/** The other files say what they said before. */
function identifiedAs(state: MovieState, identity: EventData['MovieIdentified']): MovieState {
  const { fileId } = identity
  // Earlier versions did not store which file says it.
  if (fileId === undefined) return { ...state, identity }
  const before = state.identity ?? undefined
  const files = [...state.files].map(
    ([id, file]) => [id, { ...file, ...saying(id === fileId ? identity : (file.says ?? before)) }] as const,
  )
  return { ...state, identity, files: new Map(files) }
}

const UNKNOWN_FILE: KnownFile = {
  path: '',
  stamp: { sizeBytes: 0, modifiedAtMs: 0, inode: null },
  missing: false,
  probed: '',
  fingerprint: '',
}

function withFile(state: MovieState, id: FileId, change: Partial<KnownFile>): MovieState {
  const before = state.files.get(id) ?? UNKNOWN_FILE
  return { ...state, files: new Map(state.files).set(id, { ...before, ...change }) }
}

/** A film file as a scan sees it, with its assigned movie and file ids. */
export interface FoundMediaFile {
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly fileId: FileId
  readonly location: { readonly path: string; readonly root: string; readonly stamp: FileStamp; readonly fingerprint: string }
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
  /** Digest of names, sizes and times of the companion files: changes with any of them. */
  readonly companions: string
  readonly identity: Identity
  readonly artwork: MovieArtwork
}

/** Events for everything new about a film; none if all of it is known. Stored in one append. */
export const observe =
  (file: FoundMediaFile) =>
  (state: MovieState): Decision => {
    const identified = identification(withFile(state, file.fileId, { missing: false, says: file.identity }), file)
    return withoutOutdated(state, [
      ...discovery(state, file),
      ...fileEvents(state, file, isRecorded(state, file, identified) ? undefined : file.identity),
      ...identified,
      ...artworkChoice(state, file),
    ])
  }

function discovery({ movie }: MovieState, { movieId, libraryId }: FoundMediaFile): readonly DomainEvent[] {
  return movie ? [] : [{ type: 'MovieDiscovered', data: { movieId, libraryId } }]
}

function fileEvents({ files }: MovieState, file: FoundMediaFile, says: Identity | undefined): readonly DomainEvent[] {
  const { movieId, libraryId, fileId, location, media, sidecars, companions } = file
  const known = files.get(fileId)
  const probed = { movieId, fileId, media, sidecars, companions, ...omitUndefined({ identity: says }) }
  const probing: DomainEvent[] = known?.probed === probedText(probed) && !says ? [] : [{ type: 'MovieProbed', data: probed }]
  if (!known) return [{ type: 'MovieFileAdded', data: { movieId, libraryId, fileId, ...location } }, ...probing]
  if (known.path !== location.path) return [{ type: 'MovieFileMoved', data: { movieId, fileId, ...location } }, ...probing]
  if (!sameStamp(known.stamp, location.stamp)) {
    return [
      { type: 'MovieFileReplaced', data: { movieId, fileId, ...location } },
      { type: 'MovieProbed', data: probed },
    ]
  }
  return known.missing ? [{ type: 'MovieFileReturned', data: { movieId, fileId } }, ...probing] : probing
}

function identification(
  { movie, files, identity: before }: MovieState,
  found?: Pick<FoundMediaFile, 'movieId' | 'fileId' | 'identity'>,
): readonly DomainEvent[] {
  const movieId = movie?.movieId ?? found?.movieId
  const available = [...files.values()].filter(({ missing }) => !missing)
  const now = combined(available.flatMap(({ says }) => says ?? before ?? []))
  if (!movieId || !now || (before && isSameIdentity(before, now))) return []
  const fileId = found && isSameIdentity(found.identity, now) ? found.fileId : null
  const { source, confidence, facts } = now
  return [{ type: 'MovieIdentified', data: { movieId, source, confidence, facts, fileId } }]
}

/** Whether the state will have what the file says, without an event of its own. */
function isRecorded(
  { files, identity }: MovieState,
  { fileId, identity: says }: FoundMediaFile,
  [identified]: readonly DomainEvent[],
): boolean {
  if (identified?.type === 'MovieIdentified' && identified.data.fileId === fileId) return true
  const before = files.get(fileId)?.says ?? identity
  return before !== null && isSameIdentity(before, says)
}

/**
 * An image in the folder of another file of the movie stays, so that versions in different folders do not replace each other's images in
 * turns.
 */
function artworkChoice(state: MovieState, file: FoundMediaFile): readonly DomainEvent[] {
  const { movieId, artwork: found } = file
  const choose = (kind: ArtworkKind) => (keepsImage(state, file, kind) ? state.artwork[kind] : found[kind])
  const artwork: MovieArtwork = { poster: choose('poster'), backdrop: choose('backdrop'), logo: choose('logo') }
  return JSON.stringify(state.artwork) === JSON.stringify(artwork) ? [] : [{ type: 'MovieArtworkChosen', data: { movieId, artwork } }]
}

/**
 * Whether an image stays although the current file has another one. An image beside another version, or a still from one, stays while that
 * version is there; any image file replaces a still.
 */
function keepsImage({ artwork, files }: MovieState, { fileId, location, artwork: found }: FoundMediaFile, kind: ArtworkKind): boolean {
  const kept = artwork[kind]
  if (kept === null) return false
  const others = [...files].flatMap(([id, { path, missing }]) => (id === fileId || missing ? [] : [path]))
  if (isStill(kept)) return others.includes(kept.path) && (found[kind] === null || isStill(found[kind]))
  const folder = folderOf(kept.path)
  return folder !== folderOf(location.path) && others.some((path) => folderOf(path) === folder)
}

/** A still has the path of the film that it is taken from. */
const isStill = ({ path }: Artwork) => isVideo(path)

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** The still of a film file that serves as a poster. */
export type StillOf = (file: Pick<KnownFile, 'path' | 'fingerprint'>) => Artwork

/** Marks a file as missing. */
export const lose =
  (fileId: FileId, stillOf: StillOf) =>
  (state: MovieState): Decision => {
    if (!state.movie || state.files.get(fileId)?.missing !== false) return []
    const lost = { type: 'MovieFileMissing', data: { movieId: state.movie.movieId, fileId } } as const
    return withoutOutdated(state, [lost, ...consequences(withFile(state, fileId, { missing: true }), stillOf)])
  }

/** Marks a missing file as available again, unchanged. */
export const regain =
  (fileId: FileId, stillOf: StillOf) =>
  (state: MovieState): Decision => {
    if (!state.movie || !state.files.get(fileId)?.missing) return []
    const back = { type: 'MovieFileReturned', data: { movieId: state.movie.movieId, fileId } } as const
    return withoutOutdated(state, [back, ...consequences(withFile(state, fileId, { missing: false }), stillOf)])
  }

/** Events that follow from a change of the available files. */
const consequences = (state: MovieState, stillOf: StillOf) => [...identification(state), ...newStill(state, stillOf)]

/** Replaces a poster that is a still from a missing file by a still from an available one. */
function newStill({ movie, artwork, files }: MovieState, stillOf: StillOf): readonly DomainEvent[] {
  const { poster } = artwork
  const available = [...files.values()].filter(({ missing }) => !missing)
  const [first] = available
  if (!movie || !first || !poster || !isStill(poster) || available.some(({ path }) => path === poster.path)) return []
  return [{ type: 'MovieArtworkChosen', data: { movieId: movie.movieId, artwork: { ...artwork, poster: stillOf(first) } } }]
}

/** Records thumbnails of a file, once per content and only for its current content. */
export const noteTrickplay =
  (made: EventData['TrickplayMade']) =>
  ({ files }: MovieState): Decision => {
    const file = files.get(made.fileId)
    return file?.fingerprint === made.fingerprint && file.trickplay !== made.fingerprint ? [{ type: 'TrickplayMade', data: made }] : []
  }

/** Records mean colours of its images, only new ones: two nodes may process the same image. */
export const noteTints =
  (found: EventData['MovieImagesTinted']) =>
  ({ movie, tints }: MovieState): Decision => {
    const fresh = (kind: TintedKind): ImageTint | null => (isSameTint(found[kind], tints[kind]) ? null : found[kind])
    const data = { movieId: found.movieId, poster: fresh('poster'), backdrop: fresh('backdrop') }
    return movie && TINTED_KINDS.some((kind) => data[kind] !== null) ? [{ type: 'MovieImagesTinted', data }] : []
  }

const isSameTint = (a: ImageTint | null, b: ImageTint | null): boolean => a?.imageId === b?.imageId && a?.tint === b?.tint

export const sameStamp = (a: FileStamp, b: FileStamp) => a.sizeBytes === b.sizeBytes && a.modifiedAtMs === b.modifiedAtMs

const probedText = ({ media, sidecars, companions }: Pick<FoundMediaFile, 'media' | 'sidecars' | 'companions'>) =>
  JSON.stringify([media, sidecars, companions])
