/**
 * View `file_stamps`: the data that a scan needs to detect an unchanged or moved film file.
 * Documents are small, because a scan reads all of them; the view `files` holds the media details.
 */
import type { FileId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import type { FileStamp } from '../../src/vocabulary/media-description.ts'
import { operations, type View } from './view.ts'

export interface FileStampDocument {
  readonly id: FileId
  readonly movieId: MovieId
  readonly libraryId: LibraryId
  readonly root: string
  readonly path: string
  readonly stamp: FileStamp
  readonly fingerprint: string
  readonly missing: boolean
  /** Digest of the companion files; null until the file has been probed. */
  readonly companions: string | null
}

const { put, change } = operations<FileStampDocument>()

type Located = Pick<FileStampDocument, 'path' | 'root' | 'stamp' | 'fingerprint'>

export const fileStamps: View<FileStampDocument> = {
  name: 'file_stamps',
  version: 1,
  fields: { libraryId: 'text' },
  indexes: [['libraryId']],
  handles: {
    MovieFileAdded: ({ data }) => {
      const { fileId, movieId, libraryId } = data
      return put(fileId, { id: fileId, movieId, libraryId, ...located(data), missing: false, companions: null })
    },
    MovieProbed: ({ data }) => change(data.fileId, (file) => ({ ...file, companions: data.companions })),
    MovieFileMoved: ({ data }) => change(data.fileId, (file) => ({ ...file, ...located(data), missing: false })),
    MovieFileReplaced: ({ data }) => change(data.fileId, (file) => ({ ...file, ...located(data), missing: false })),
    MovieFileMissing: ({ data }) => change(data.fileId, (file) => ({ ...file, missing: true })),
    MovieFileReturned: ({ data }) => change(data.fileId, (file) => ({ ...file, missing: false })),
  },
}

const located = ({ path, root, stamp, fingerprint }: Located): Located => ({ path, root, stamp, fingerprint })
