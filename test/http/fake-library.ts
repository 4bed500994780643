/** What the house of the HTTP tests counts in its library, and what its scan has changed. */
import type { LibraryStats } from '../../src/app/libraries/library-stats.ts'
import type { ScanChange } from '../../src/app/scans/scan-changes.ts'
import type { FileId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'

export const libraryStatsOf = (libraryId: LibraryId): LibraryStats => ({
  libraryId,
  movies: 3,
  missing: 1,
  files: 4,
  totalBytes: 4000,
  totalDurationMs: 5_400_120.4,
  addedLast7Days: 2,
  watched: 1,
  inProgress: 1,
  unwatched: 1,
  resolutions: [{ value: '1080p', count: 3 }],
  videoCodecs: [{ value: 'hevc', count: 3 }],
  audioCodecs: [{ value: 'ac3', count: 3 }],
  containers: [{ value: 'matroska', count: 3 }],
  hdr: [],
  genres: [{ value: 'Drama', count: 1 }],
  decades: [{ value: '2010s', count: 3 }],
  asOfSeq: '18231',
})

export const scanChangeOf = (movieId: MovieId, fileId: FileId): ScanChange => ({
  id: '18230',
  at: '2026-01-02T12:00:00.000Z',
  kind: 'added',
  movieId,
  title: 'A Film',
  fileId,
  path: '/media/films/Drama/A Film (2019).mkv',
})
