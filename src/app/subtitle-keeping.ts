/**
 * Keeps the text of films: reads the subtitles out of every film that a scan has found, one film after the other, slowly, so that
 * they are at hand when the film is played. What was not done when the server stopped is found at the next start.
 */
import { decode } from '../events/codec.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { FilmTexts } from '../ports/film-texts.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { reached } from './reached.ts'
import { textFilm } from './streaming/text-film.ts'

export interface SubtitleKeepingDependencies {
  readonly documents: Pick<Documents, 'files'>
  readonly freshness: Pick<Freshness, 'reach'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly texts: Pick<FilmTexts, 'isKept' | 'takeOut'>
}

/** Runs until the signal. */
export async function keepSubtitles(deps: SubtitleKeepingDependencies, signal: AbortSignal): Promise<void> {
  const { documents, log } = deps
  const from = await log.head()
  for await (const file of documents.files.walk({ where: [] })) await keep(deps, file, signal)
  for await (const batch of log.follow(from, signal)) {
    for (const stored of batch) {
      const event = decode(stored)
      if (event?.type !== 'MovieProbed') continue
      await reached(deps.freshness, event.position, signal)
      await keep(deps, await documents.files.get(event.data.fileId), signal)
    }
  }
}

async function keep({ texts }: SubtitleKeepingDependencies, file: FileDocument | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (!file?.media || file.missing) return
  const film = textFilm({ ...file, media: file.media })
  if (film.tracks.length > 0 && !(await texts.isKept(film))) await texts.takeOut(film, { background: true, signal })
}
