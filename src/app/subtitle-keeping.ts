/** Keeps the text of films: reads the subtitles out of each, slowly, so that they are at hand when the film is played. */
import type { FilmTexts } from '../ports/film-texts.ts'
import { takeFilms, type BackgroundFilms } from './background-films.ts'
import { textFilm } from './streaming/text-film.ts'

export interface SubtitleKeepingDependencies extends BackgroundFilms {
  readonly texts: Pick<FilmTexts, 'isKept' | 'takeOut'>
}

/** Runs until the signal. */
export function keepSubtitles(deps: SubtitleKeepingDependencies, signal: AbortSignal): Promise<void> {
  const { texts } = deps
  return takeFilms(
    deps,
    async (file) => {
      const film = textFilm(file)
      if (film.tracks.length > 0 && !(await texts.isKept(film))) await texts.takeOut(film, { background: true, signal })
    },
    signal,
  )
}
