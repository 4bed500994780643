/** Plans of the films in use: made once for a film and the terms of a session, because a plan of two hours takes two milliseconds and every segment needs it. */
import type { FilmTimes } from '../../domain/streaming/cadence.ts'
import { planStreams, type PlanTerms, type StreamPlan } from '../../domain/streaming/plan.ts'
import { createRecent } from '../../flow/recent.ts'
import type { MediaDescription } from '../../events/media-description.ts'
import { createFilmTimes, type FilmPlace, type FilmTimesOptions } from './film-times.ts'

export interface Plans {
  of(film: PlannedFilm): Promise<StreamPlan>
  close(): void
}

export interface PlannedFilm extends FilmPlace {
  readonly media: MediaDescription
  readonly terms?: PlanTerms
}

interface Kept {
  readonly times: FilmTimes | undefined
  readonly plan: StreamPlan
}

const KEPT_PLANS = 256

export function createPlans(options: FilmTimesOptions): Plans {
  const filmTimes = createFilmTimes(options)
  const plans = createRecent<Kept>(KEPT_PLANS)
  return {
    async of(film) {
      const times = await filmTimes.of(film)
      const { terms = {} } = film
      const key = `${film.fingerprint}/${film.media.durationMs}/${JSON.stringify(terms)}`
      const before = plans.get(key)
      const kept = before && before.times === times ? before : { times, plan: planStreams(film.media, times, terms) }
      plans.put(key, kept)
      return kept.plan
    },
    close: () => filmTimes.close(),
  }
}
