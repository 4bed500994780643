/** Places resume points in the versions of a film that are available: a file may have been replaced by a shorter one. */
import { isBeforeEnd } from '../../src/vocabulary/resume-range.ts'
import type { MovieFile } from './movie-document.ts'
import { fileToResume } from './movie-query-fields.ts'
import type { ResumePoint, UserMovieDocument } from './user-movies.ts'

/**
 * The user's state with the resume point in its own version, or in another that is long enough. If none is, the point is at the same share
 * of the version that plays.
 */
export function placeResume(files: readonly MovieFile[], own: UserMovieDocument): UserMovieDocument {
  const { resume } = own
  if (!resume) return own
  const preferred = fileToResume(files, resume.fileId)
  const there = files.filter(({ available }) => available)
  const version = [preferred, ...there].find((file) => file && isLongEnough(file.durationMs, resume)) ?? preferred
  return version ? { ...own, resume: { ...resume, fileId: version.id, ...placeIn(version.durationMs, resume) } } : own
}

/** In a version of this duration; null: unknown, and taken to be that of the resume point. */
export function placeIn(durationMs: number | null, resume: ResumePoint): Pick<ResumePoint, 'positionMs' | 'durationMs'> {
  const known = durationMs ?? resume.durationMs
  const share = resume.positionMs / resume.durationMs
  return { positionMs: isLongEnough(known, resume) ? resume.positionMs : Math.floor(share * known), durationMs: known }
}

/** `durationMs`: null if it is unknown. */
export const isLongEnough = (durationMs: number | null, { positionMs }: ResumePoint): boolean =>
  durationMs === null || isBeforeEnd(positionMs, durationMs)
