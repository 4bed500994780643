/** Chooses the file of a movie that a session plays: the best version whose drive is there. */
import type { FileDocument } from '../../../projections/views/files.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface FileChoiceDependencies {
  readonly clock: Clock
  readonly media: Pick<Media, 'stamp'>
  readonly readModels: ReadModels
}

const NO_FILE = refuse('not-found', 'There is no such file of this movie')
/** Its code distinguishes it from a busy or restarting server: a player reports it instead of retrying. */
const AWAY = refuse('unavailable', 'The file of this movie is unavailable now: its drive may not be mounted', {
  retryAfterSeconds: 30,
  code: 'file_unavailable',
})
/** Longer than a sleeping drive takes to wake up. */
const LOOK_MS = 10_000
/** For all versions of a movie: a player waits half a minute for the answer. */
const LOOKS_MS = 20_000

export async function chooseFile(
  deps: FileChoiceDependencies,
  movie: MovieDocument,
  fileId: string | undefined,
): Promise<FileDocument | Refusal> {
  const files = (await deps.readModels.filesOf(movie)).filter(({ id }) => fileId === undefined || id === fileId)
  if (files.length === 0 && fileId !== undefined) return NO_FILE
  const untilMs = deps.clock.monotonic() + LOOKS_MS
  // If a version's drive is offline, the next version is used.
  for (const file of files) if (!file.missing && file.media && (await isThere(deps, file.path, untilMs))) return file
  return AWAY
}

async function isThere({ clock, media }: FileChoiceDependencies, path: string, untilMs: number): Promise<boolean> {
  const ms = Math.min(LOOK_MS, untilMs - clock.monotonic())
  if (ms <= 0) return false
  const look = withTimeout(media.stamp(path), { clock, ms, message: 'Its drive does not answer' })
  return (await look.catch(() => undefined)) !== undefined
}
