/** Pictures beside a film, by their names; one of the film's own goes before one of its folder. */
import type { ArtworkKind } from '../events/catalogue.ts'
import { fileKey } from './video-files.ts'

export type ArtworkPaths = Readonly<Record<ArtworkKind, string | null>>

/** Best first. */
const NAMES: Readonly<Record<ArtworkKind, readonly string[]>> = {
  poster: ['poster', 'folder', 'cover'],
  backdrop: ['fanart', 'backdrop', 'background'],
  logo: ['logo', 'clearlogo'],
}
const EXTENSIONS = ['jpg', 'jpeg', 'png', 'webp']

interface ArtworkSearch {
  readonly stem: string
  /** Whether the folder's pictures are the film's. */
  readonly shared: boolean
  /** Paths of the folder's files by the key of their names. */
  readonly paths: ReadonlyMap<string, string>
}

/** `<stem>-poster.jpg`, and `poster.jpg` where the folder's pictures are the film's. */
export function findArtwork({ stem, shared, paths }: ArtworkSearch): ArtworkPaths {
  const find = (kind: ArtworkKind): string | null => {
    const names = [...NAMES[kind].map((name) => `${stem}-${name}`), ...(shared ? NAMES[kind] : [])]
    const found = names.flatMap((name) => EXTENSIONS.map((extension) => paths.get(fileKey(`${name}.${extension}`))))
    return found.find((path) => path !== undefined) ?? null
  }
  return { poster: find('poster'), backdrop: find('backdrop'), logo: find('logo') }
}
