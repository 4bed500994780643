/** Keeps the text of films: reads the subtitles out of each, slowly, so that they are at hand when the film is played. */
import type { FilmTexts } from '../../ports/film-texts.ts'
import { takeFilms, type BackgroundFilms } from '../tasks/background-films.ts'
import { textFilm } from './text-film.ts'

export interface SubtitleKeepingDependencies extends BackgroundFilms {
  readonly texts: Pick<FilmTexts, 'isKept' | 'takeOut'>
}

/** Runs until the signal. */
export function keepSubtitles(deps: SubtitleKeepingDependencies, signal: AbortSignal): Promise<void> {
  const { texts } = deps
  return takeFilms(
    deps,
    {
      async isKept(file) {
        const film = textFilm(file)
        return film.tracks.length === 0 || texts.isKept(film)
      },
      make: (file) => texts.takeOut(textFilm(file), { background: true, signal }),
    },
    signal,
  )
}
