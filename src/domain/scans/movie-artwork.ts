/** Finds the images beside a film by name; an image of the film itself takes precedence over one of its folder. */
import type { ArtworkKind } from '../../events/movie-events.ts'
import { extensionOf, fileKey } from './file-names.ts'

export type ArtworkPaths = Readonly<Record<ArtworkKind, string | null>>

/** Best first. */
const NAMES: Readonly<Record<ArtworkKind, readonly string[]>> = {
  poster: ['poster', 'folder', 'cover'],
  backdrop: ['fanart', 'backdrop', 'background'],
  logo: ['logo', 'clearlogo'],
}
const EXTENSIONS = ['jpg', 'jpeg', 'png', 'webp']

/** Images of a folder: paths by the key of their names without extension. */
export type ImagePaths = ReadonlyMap<string, string>

/** If images differ only in their extension, the best one. */
export function imagePathsOf(files: readonly { readonly name: string; readonly path: string }[]): ImagePaths {
  const found = new Map<string, { readonly path: string; readonly rank: number }>()
  for (const { name, path } of files) {
    const rank = EXTENSIONS.indexOf(extensionOf(name))
    if (rank < 0) continue
    const key = fileKey(name.slice(0, name.lastIndexOf('.')))
    if (rank < (found.get(key)?.rank ?? Infinity)) found.set(key, { path, rank })
  }
  return new Map([...found].map(([key, { path }]) => [key, path]))
}

const NONE: ArtworkPaths = { poster: null, backdrop: null, logo: null }

/**
 * `<stem>-poster.jpg`, and also `poster.jpg` if the folder's images belong to the film (`shared`). `stem` is the key of the film's name
 * without extension.
 */
export function findArtwork(images: ImagePaths, stem: string, shared: boolean): ArtworkPaths {
  if (images.size === 0) return NONE
  const find = (kind: ArtworkKind): string | null => {
    const own = NAMES[kind].map((name) => images.get(`${stem}-${name}`))
    const common = shared ? NAMES[kind].map((name) => images.get(name)) : []
    return [...own, ...common].find((path) => path !== undefined) ?? null
  }
  return { poster: find('poster'), backdrop: find('backdrop'), logo: find('logo') }
}
