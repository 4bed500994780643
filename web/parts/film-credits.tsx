/** Cast and crew of a film. */
import type { Credits } from '../data/queries.ts'
import { list } from '../words/format.ts'
import { say } from '../words/words.ts'
import { FactList } from './fact-list.tsx'
import { People } from './people.tsx'

const SHOWN = 12
const JOBS = ['Director', 'Writer', 'Screenplay', 'Producer', 'Original Music Composer'] as const

export function FilmCast({ cast }: Pick<Credits, 'cast'>) {
  const people = cast.map(({ personId, name, character, image }) => ({ id: personId, name, image, note: character }))
  return (
    <People id="film-cast" title={say('film.cast')} people={people} most={SHOWN} all={say('film.whole-cast', { count: cast.length })} />
  )
}

export function FilmCrew({ crew }: Pick<Credits, 'crew'>) {
  const names = (job: string) => [...new Set(crew.filter((member) => member.job === job).map(({ name }) => name))]
  const rows = JOBS.map((job) => ({ name: say(`job.${job}`), text: list(names(job)) })).filter(({ text }) => text !== '')
  if (rows.length === 0) return null
  return (
    <section class="shelf" aria-labelledby="film-crew">
      <h2 id="film-crew">{say('film.crew')}</h2>
      <FactList facts={rows} />
    </section>
  )
}
