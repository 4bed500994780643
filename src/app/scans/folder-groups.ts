/** Groups the folders of a walk with the subtitle folders below them, and recognises a film's bonus material. */
import { bonusHomes, isMovieFolder, subtitleHome, type Surroundings } from '../../domain/scans/videos-in-folder.ts'
import { isWithin } from '../../domain/libraries/library.ts'
import type { ListedFile, ListedFolder } from '../../ports/media.ts'

export interface VideoFolder extends ListedFolder {
  readonly subtitles: readonly ListedFile[]
  readonly isBonus: boolean
}

interface Open extends ListedFolder {
  readonly subtitles: ListedFile[]
  readonly isBonus: boolean
}

/**
 * Takes parent folders first, and returns each folder once everything below it was seen. So it holds at most as many folders as the tree is
 * deep. A subtitle folder without a film folder above it is returned unchanged.
 */
export async function* foldersOfVideos(folders: AsyncIterable<ListedFolder>, { root, thisYear }: Surroundings): AsyncIterable<VideoFolder> {
  const open: Open[] = []
  for await (const folder of folders) {
    for (let last = open.at(-1); last && !isWithin(folder.path, last.path); last = open.at(-1)) {
      open.pop()
      yield last
    }
    const home = subtitleHome(folder.path, root)
    const video = home === undefined ? undefined : open.find(({ path }) => path === home)
    const homes = bonusHomes(folder.path, root)
    const isBonus = open.some((above) => homes.includes(above.path) && isMovieFolder(above, thisYear))
    if (video) video.subtitles.push(...folder.files)
    else if (home === undefined) open.push({ ...folder, subtitles: [], isBonus })
    else yield { ...folder, subtitles: [], isBonus }
  }
  yield* open.toReversed()
}
