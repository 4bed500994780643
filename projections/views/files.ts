/** View `files`: one document per film file, with its path, its media details, and the data that lets a scan detect changes. */
import type { FileId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../../src/vocabulary/media-description.ts'
import { operations, type View } from './view.ts'

export interface FileDocument {
  readonly id: FileId
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly root: string
  readonly path: string
  readonly stamp: FileStamp
  readonly fingerprint: string
  readonly missing: boolean
  readonly media: MediaDescription | null
  readonly sidecars: readonly SubtitleTrack[]
  readonly companions: string
  readonly addedAt: string
}

const { put, change } = operations<FileDocument>()

export const files: View<FileDocument> = {
  name: 'files',
  version: 1,
  fields: { libraryId: 'text', movieId: 'text' },
  indexes: [['libraryId'], ['movieId']],
  handles: {
    MovieFileAdded: ({ data, at }) => {
      const { fileId, ...file } = data
      return put(fileId, { id: fileId, ...file, missing: false, media: null, sidecars: [], companions: '', addedAt: at })
    },
    MovieProbed: ({ data }) =>
      change(data.fileId, (file) => ({ ...file, media: data.media, sidecars: data.sidecars, companions: data.companions })),
    MovieFileMoved: ({ data }) => change(data.fileId, (file) => ({ ...file, ...located(data), missing: false })),
    MovieFileReplaced: ({ data }) => change(data.fileId, (file) => ({ ...file, ...located(data), missing: false })),
    MovieFileMissing: ({ data }) => change(data.fileId, (file) => ({ ...file, missing: true })),
    MovieFileReturned: ({ data }) => change(data.fileId, (file) => ({ ...file, missing: false })),
  },
}

const located = ({ path, root, stamp, fingerprint }: Pick<FileDocument, 'path' | 'root' | 'stamp' | 'fingerprint'>) => ({
  path,
  root,
  stamp,
  fingerprint,
})
