/** On phones: the places that have no room in the bar. */
import { isAdmin } from '../data/who.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { PLACES } from '../parts/places.ts'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page() {
  return (
    <>
      <div class="list-head">
        <Title>{say('app.more')}</Title>
      </div>
      <ul class="tiles">
        {PLACES.filter(({ isMore, by }) => isMore === true && (by === undefined || isAdmin())).map(({ path, name, icon }) => (
          <li key={path}>
            <Link to={path} class="tile" data-focus={`place ${path}`}>
              <Icon of={icon} />
              <strong>{say(name)}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
