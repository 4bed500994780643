/** Cast and crew of a film. */
import type { Credits } from '../data/queries.ts'
import { list } from '../words/format.ts'
import { say } from '../words/words.ts'
import { FactList } from './fact-list.tsx'
import { People } from './people.tsx'

const SHOWN = 12
const JOBS = ['Director', 'Writer', 'Screenplay', 'Producer', 'Original Music Composer'] as const

export function MovieCast({ cast }: Pick<Credits, 'cast'>) {
  const people = cast.map(({ personId, name, character, image }) => ({ id: personId, name, image, note: character }))
  return (
    <People id="movie-cast" title={say('movie.cast')} people={people} most={SHOWN} all={say('movie.whole-cast', { count: cast.length })} />
  )
}

export function MovieCrew({ crew }: Pick<Credits, 'crew'>) {
  const names = (job: string) => [...new Set(crew.filter((member) => member.job === job).map(({ name }) => name))]
  const rows = JOBS.map((job) => ({ name: say(`job.${job}`), text: list(names(job)) })).filter(({ text }) => text !== '')
  if (rows.length === 0) return null
  return (
    <section class="shelf" aria-labelledby="movie-crew">
      <h2 id="movie-crew">{say('movie.crew')}</h2>
      <FactList facts={rows} />
    </section>
  )
}
