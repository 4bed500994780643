/** Reading one film: what its file, its name and what lies beside it say, before it has a place in a library. */
import { createHash } from 'node:crypto'
import type { ArtworkKind, MovieFacts } from '../events/catalogue.ts'
import { derivedId } from '../events/derived-id.ts'
import type { MediaDescription } from '../events/media-description.ts'
import type { FolderFilm } from '../domain/film-folder.ts'
import type { FoundFilm, MovieArtwork } from '../domain/movie.ts'
import { readNfo } from '../domain/nfo.ts'
import type { ListedFile, ListedFolder, Media } from '../ports/media.ts'

/** A film file found on a walk. */
export interface WalkedFilm extends FolderFilm<ListedFile> {
  readonly root: string
  readonly folder: ListedFolder
}

/** A film as read, without the ids of movie and file. */
export type ReadFilm = Omit<FoundFilm, 'movieId' | 'libraryId' | 'fileId'>

/** What is known of the file already: an unchanged one is not probed again. */
export interface KnownContent {
  readonly media: MediaDescription
  readonly fingerprint: string
}

const NFO_BYTES_MAX = 1024 * 1024

/** @throws NotPlayable the file is no film */
export async function readFilm(media: Media, film: WalkedFilm, known: KnownContent | undefined, signal: AbortSignal): Promise<ReadFilm> {
  const { file, root } = film
  const { sizeBytes, modifiedAtMs, inode } = file
  const description = known?.media ?? (await media.probe(file.path, signal))
  const fingerprint = known?.fingerprint ?? (await media.fingerprint(file.path))
  return {
    location: { path: file.path, root, stamp: { sizeBytes, modifiedAtMs, inode }, fingerprint },
    media: description,
    sidecars: film.subtitles,
    companions: companionsOf(film),
    identity: await identify(media, film),
    artwork: artworkOf(film),
  }
}

/** Digest of names, sizes and times of the files beside the film. */
export function companionsOf({ folder, file }: WalkedFilm): string {
  const beside = folder.files.filter((other) => other.path !== file.path)
  const text = beside.map(({ name, sizeBytes, modifiedAtMs }) => `${name}\0${sizeBytes}\0${modifiedAtMs}`).join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

async function identify(media: Media, { name, nfoPath }: WalkedFilm): Promise<FoundFilm['identity']> {
  const bytes = nfoPath ? await media.readSmall(nfoPath, NFO_BYTES_MAX) : undefined
  const nfo = bytes && readNfo(bytes)
  const facts: MovieFacts = {
    ...NOTHING_SAID,
    ...nfo,
    title: nfo?.title ?? name.title,
    year: nfo?.year ?? name.year,
    externalIds: idsOf(nfo, name),
  }
  if (nfo?.title) return { source: 'nfo', confidence: 1, facts }
  return { source: 'name', confidence: name.year === null ? 0.5 : 0.8, facts }
}

function idsOf(nfo: Partial<MovieFacts> | undefined, { externalIds }: WalkedFilm['name']): MovieFacts['externalIds'] {
  return { tmdb: nfo?.externalIds?.tmdb ?? externalIds.tmdb, imdb: nfo?.externalIds?.imdb ?? externalIds.imdb }
}

const NOTHING_SAID: Omit<MovieFacts, 'title' | 'year' | 'externalIds'> = {
  originalTitle: null,
  sortTitle: null,
  releaseDate: null,
  overview: null,
  tagline: null,
  contentRating: null,
  rating: null,
  genres: [],
  tags: [],
  countries: [],
  studios: [],
  languages: [],
  collection: null,
  cast: [],
  crew: [],
}

/** An image's id follows from its file's name, size and time: another picture is another id, which caches may keep for ever. */
function artworkOf({ folder, artworkPaths }: WalkedFilm): MovieArtwork {
  const choose = (kind: ArtworkKind) => {
    const found = folder.files.find(({ path }) => path === artworkPaths[kind])
    if (!found) return null
    return { imageId: derivedId('image', `${found.path}\0${found.sizeBytes}\0${found.modifiedAtMs}`), path: found.path }
  }
  return { poster: choose('poster'), backdrop: choose('backdrop'), logo: choose('logo') }
}
