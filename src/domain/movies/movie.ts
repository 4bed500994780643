/**
 * Movie: what scans have found of it. The movie, not a path, carries what users did with it: files come, go, move and are
 * replaced, the movie stays.
 */
import type { DomainEvent, EventData } from '../../events/catalogue.ts'
import {
  TINTED_KINDS,
  type Artwork,
  type ArtworkKind,
  type EditableFacts,
  type ImageTint,
  type MovieFacts,
  type TintedKind,
} from '../../events/movie-events.ts'
import type { FileId, LibraryId, MovieId } from '../../vocabulary/id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../../vocabulary/media-description.ts'
import type { Decider, Decision } from '../decider.ts'
import { knownOf, withoutOutdated, type KnownOnline } from '../online/online-match.ts'
import { isVideo } from '../scans/file-names.ts'

export type MovieArtwork = Readonly<Record<ArtworkKind, Artwork | null>>

interface KnownFile {
  readonly path: string
  readonly stamp: FileStamp
  readonly missing: boolean
  /** What MovieProbed said, as text for comparison. */
  readonly probed: string
  readonly fingerprint: string
  /** Of the content that preview pictures were made of; only where they were. */
  readonly trickplay?: string
}

export interface MovieState {
  readonly movie: { readonly movieId: MovieId; readonly libraryId: LibraryId } | null
  readonly identity: EventData['MovieIdentified'] | null
  readonly artwork: MovieArtwork
  readonly files: ReadonlyMap<FileId, KnownFile>
  readonly tints: Readonly<Record<TintedKind, ImageTint | null>>
  /** What administrators have said (movie-corrections.ts). */
  readonly edits: Partial<EditableFacts>
  readonly pin: EventData['MovieMatchPinned'] | null
  /** What a provider said of the film that this is (online-match.ts). */
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
        return { ...state, identity: event.data }
      case 'MovieEdited':
        return { ...state, edits: { ...state.edits, ...event.data.changes } }
      case 'MovieMatchPinned':
        return { ...state, pin: event.data }
      case 'MovieMatchedOnline':
        return { ...state, online: knownOf(event.data) }
      case 'MovieUnmatchedOnline':
        return { ...state, online: null }
      case 'MovieArtworkChosen':
        return { ...state, artwork: event.data.artwork }
      case 'MovieFileAdded':
      case 'MovieFileReplaced':
        // Also what was made of the content before: where that comes back, the file tells of it anew.
        return { ...state, files: new Map(state.files).set(event.data.fileId, { ...locatedAt(event.data), probed: '' }) }
      case 'MovieFileMoved':
        return withFile(state, event.data.fileId, locatedAt(event.data))
      case 'MovieProbed':
        return withFile(state, event.data.fileId, { probed: probedText(event.data) })
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

/** A film file as a scan sees it, with the movie and file ids that it has been given. */
export interface FoundFilm {
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly fileId: FileId
  readonly location: { readonly path: string; readonly root: string; readonly stamp: FileStamp; readonly fingerprint: string }
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
  /** Digest of names, sizes and times of what lies beside the film: changes whenever that does. */
  readonly companions: string
  readonly identity: { readonly source: 'name' | 'nfo'; readonly confidence: number; readonly facts: MovieFacts }
  readonly artwork: MovieArtwork
}

/** What is new about a film, as events; none when all of it is known. One append for all of it. */
export const observe =
  (film: FoundFilm) =>
  (state: MovieState): Decision =>
    withoutOutdated(state, [
      ...discovery(state, film),
      ...fileEvents(state, film),
      ...identification(state, film),
      ...artworkChoice(state, film),
    ])

function discovery({ movie }: MovieState, { movieId, libraryId }: FoundFilm): readonly DomainEvent[] {
  return movie ? [] : [{ type: 'MovieDiscovered', data: { movieId, libraryId } }]
}

function fileEvents({ files }: MovieState, film: FoundFilm): readonly DomainEvent[] {
  const { movieId, libraryId, fileId, location, media, sidecars, companions } = film
  const known = files.get(fileId)
  const probed = { movieId, fileId, media, sidecars, companions }
  const probing: DomainEvent[] = known?.probed === probedText(probed) ? [] : [{ type: 'MovieProbed', data: probed }]
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

/** Whether another file of the movie is there. */
const hasOthers = ({ files }: MovieState, fileId: FileId) => [...files].some(([id, file]) => id !== fileId && !file.missing)

/** What a name says never overwrites what an `.nfo` said of another file of the movie. */
function identification(state: MovieState, { movieId, fileId, identity: found }: FoundFilm): readonly DomainEvent[] {
  const { identity } = state
  if (identity?.source === 'nfo' && found.source === 'name' && hasOthers(state, fileId)) return []
  const data = { movieId, ...found }
  return identity && JSON.stringify(identity) === JSON.stringify(data) ? [] : [{ type: 'MovieIdentified', data }]
}

/** A picture in the folder of another file of the movie stays, so that versions in folders of their own do not take turns. */
function artworkChoice(state: MovieState, film: FoundFilm): readonly DomainEvent[] {
  const { movieId, artwork: found } = film
  const choose = (kind: ArtworkKind) => (keepsPicture(state, film, kind) ? state.artwork[kind] : found[kind])
  const artwork: MovieArtwork = { poster: choose('poster'), backdrop: choose('backdrop'), logo: choose('logo') }
  return JSON.stringify(state.artwork) === JSON.stringify(artwork) ? [] : [{ type: 'MovieArtworkChosen', data: { movieId, artwork } }]
}

/**
 * Whether a picture stays although the file that is being read says otherwise: what lies beside another version does; a still out
 * of another version does while that one is there, but gives way to a picture.
 */
function keepsPicture(state: MovieState, { fileId, location, artwork: found }: FoundFilm, kind: ArtworkKind): boolean {
  const kept = state.artwork[kind]
  if (kept === null || !hasOthers(state, fileId)) return false
  if (!isStill(kept)) return folderOf(kept.path) !== folderOf(location.path)
  const isThere = [...state.files].some(([id, file]) => id !== fileId && file.path === kept.path && !file.missing)
  return isThere && (found[kind] === null || isStill(found[kind]))
}

/** A still is named by the film that it is taken from. */
const isStill = ({ path }: Artwork) => isVideo(path)

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** A file that is no longer where it was. */
export const lose =
  (fileId: FileId) =>
  ({ movie, files }: MovieState): Decision =>
    movie && files.get(fileId)?.missing === false ? [{ type: 'MovieFileMissing', data: { movieId: movie.movieId, fileId } }] : []

/** A file that is there again, unchanged. */
export const regain =
  (fileId: FileId) =>
  ({ movie, files }: MovieState): Decision =>
    movie && files.get(fileId)?.missing ? [{ type: 'MovieFileReturned', data: { movieId: movie.movieId, fileId } }] : []

/** Preview pictures of a file are there: of the content that it has by now, and told once. */
export const noteTrickplay =
  (made: EventData['TrickplayMade']) =>
  ({ files }: MovieState): Decision => {
    const file = files.get(made.fileId)
    return file?.fingerprint === made.fingerprint && file.trickplay !== made.fingerprint ? [{ type: 'TrickplayMade', data: made }] : []
  }

/** Mean colours of its pictures, of which only what is new is told: two nodes may look at the same picture. */
export const noteTints =
  (found: EventData['MovieImagesTinted']) =>
  ({ movie, tints }: MovieState): Decision => {
    const fresh = (kind: TintedKind): ImageTint | null => (isSameTint(found[kind], tints[kind]) ? null : found[kind])
    const data = { movieId: found.movieId, poster: fresh('poster'), backdrop: fresh('backdrop') }
    return movie && TINTED_KINDS.some((kind) => data[kind] !== null) ? [{ type: 'MovieImagesTinted', data }] : []
  }

const isSameTint = (a: ImageTint | null, b: ImageTint | null): boolean => a?.imageId === b?.imageId && a?.tint === b?.tint

export const sameStamp = (a: FileStamp, b: FileStamp) => a.sizeBytes === b.sizeBytes && a.modifiedAtMs === b.modifiedAtMs

const probedText = ({ media, sidecars, companions }: Pick<FoundFilm, 'media' | 'sidecars' | 'companions'>) =>
  JSON.stringify([media, sidecars, companions])
