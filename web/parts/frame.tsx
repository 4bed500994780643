/** What surrounds every page but the player: skip link, navigation, account, notes. */
import type { ComponentChildren } from 'preact'
import { CircleUser, Menu } from 'lucide'
import { useLocation } from 'wouter-preact'
import { liveState } from '../data/live.ts'
import { heldSeconds } from '../data/query-client.ts'
import { isAdmin, who } from '../data/who.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Link } from './link.tsx'
import { isHere, isPlaceHere, PLACES, type Place } from './places.ts'
import { useShortcuts } from './shortcuts.ts'

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [location] = useLocation()
  useShortcuts()
  useKeptFocus()
  const name = typeof who.value === 'object' ? who.value.name : say('app.account')
  return (
    <>
      <a class="skip" href="#main">
        {say('app.skip')}
      </a>
      <header class="bar">
        <Link to="/" class="brand">
          {say('app.name')}
        </Link>
        <nav class="places" aria-label={say('app.nav')}>
          {PLACES.filter(({ by }) => by === undefined).map((place) => (
            <PlaceLink key={place.path} place={place} location={location} />
          ))}
          <Link to="/more" class="narrow-only" aria-current={isMoreHere(location) ? 'page' : undefined}>
            <Icon of={Menu} />
            <span>{say('app.more')}</span>
          </Link>
        </nav>
        {isAdmin() && (
          <nav class="places of-admins" aria-label={say('app.nav.admin')}>
            {PLACES.filter(({ by }) => by === 'admins').map((place) => (
              <PlaceLink key={place.path} place={place} location={location} />
            ))}
          </nav>
        )}
        <Link to="/settings" class="account" title={name} aria-current={isHere('/settings', location) ? 'page' : undefined}>
          <Icon of={CircleUser} />
          <span>{name}</span>
        </Link>
      </header>
      <Notice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

const isMoreHere = (location: string): boolean =>
  location === '/more' || PLACES.some((place) => place.isMore === true && isPlaceHere(place, location))

function PlaceLink({ place, location }: { readonly place: Place; readonly location: string }) {
  const { path, name, icon, isMore } = place
  return (
    <Link to={path} class={isMore === true ? 'wide-only' : undefined} aria-current={isPlaceHere(place, location) ? 'page' : undefined}>
      <Icon of={icon} />
      <span>{say(name)}</span>
    </Link>
  )
}

/** What a person should know of the server while the page goes on by itself. */
function Notice() {
  const text = noticeText()
  return <div role="status">{text !== undefined && <p class="notice">{text}</p>}</div>
}

function noticeText(): string | undefined {
  if (liveState.value !== 'open') return say(liveState.value === 'stopping' ? 'app.stopping' : 'app.offline')
  const seconds = heldSeconds()
  return seconds > 0 ? say('app.too-many', { seconds }) : undefined
}
