/** Cast and crew of a film. */
import { useState } from 'preact/hooks'
import type { Credits } from '../data/queries.ts'
import { list } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Face } from './face.tsx'
import { FactList } from './fact-list.tsx'
import { Link } from './link.tsx'

const SHOWN = 12
const JOBS = ['Director', 'Writer', 'Screenplay', 'Producer', 'Original Music Composer'] as const

export function FilmCast({ cast }: Pick<Credits, 'cast'>) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? cast : cast.slice(0, SHOWN)
  return (
    <section class="shelf" aria-labelledby="film-cast">
      <h2 id="film-cast">{say('film.cast')}</h2>
      <ul class="people">
        {shown.map(({ personId, name, character, image }) => (
          <li key={`${personId} ${character}`}>
            <Link to={`/people/${personId}`} class="person" data-focus={`person ${personId}`}>
              <Face name={name} image={image} />
              <span>
                <strong>{name}</strong>
                {character !== null && <span class="soft">{character}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {cast.length > shown.length && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {say('film.whole-cast', { count: cast.length })}
        </button>
      )}
    </section>
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
