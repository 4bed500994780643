/** What surrounds every page but the player: skip link, navigation, account, notes. */
import type { ComponentChildren } from 'preact'
import { BookmarkCheck, CircleUser, Ellipsis, Film, House, Layers, MonitorPlay, Search, Wrench } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { liveState } from '../data/live.ts'
import { heldUntil } from '../data/query-client.ts'
import { isAdmin, who } from '../data/who.ts'
import { say, type Key } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Icon, type IconProps } from './icon.tsx'
import { Link } from './link.tsx'
import { useShortcuts } from './shortcuts.ts'

interface Place {
  readonly path: string
  readonly name: Key
  readonly icon: IconProps['of']
  /** What its path begins with, if it has several pages. */
  readonly under?: string
  readonly by?: 'admins'
}

/** Phones show the first four, and the others behind "More". */
const PLACES: readonly Place[] = [
  { path: '/', name: 'page.home', icon: House },
  { path: '/films', name: 'page.films', icon: Film },
  { path: '/search', name: 'page.search', icon: Search },
  { path: '/watchlist', name: 'page.watchlist', icon: BookmarkCheck },
  { path: '/collections', name: 'page.collections', icon: Layers },
  { path: '/now', name: 'page.now', icon: MonitorPlay },
  { path: '/admin/libraries', under: '/admin/', name: 'page.admin', icon: Wrench, by: 'admins' },
]
const ON_PHONES = 4

const isHere = ({ path, under = path }: Pick<Place, 'path' | 'under'>, location: string): boolean =>
  path === '/' ? location === '/' : location.startsWith(under)

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [location] = useLocation()
  useShortcuts()
  const name = typeof who.value === 'object' ? who.value.name : say('app.account')
  const places = PLACES.filter(({ by }) => by !== 'admins' || isAdmin())
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
          {places.map((place, index) => (
            <PlaceLink key={place.path} place={place} location={location} class={index < ON_PHONES ? undefined : 'later'} />
          ))}
          <More places={places.slice(ON_PHONES)} location={location} />
        </nav>
        <Link to="/settings" class="account" aria-current={isHere({ path: '/settings' }, location) ? 'page' : undefined}>
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

interface PlaceLinkProps {
  readonly place: Place
  readonly location: string
  readonly class?: string | undefined
}

const PlaceLink = ({ place, location, class: kind }: PlaceLinkProps) => (
  <Link to={place.path} class={kind} aria-current={isHere(place, location) ? 'page' : undefined}>
    <Icon of={place.icon} />
    <span>{say(place.name)}</span>
  </Link>
)

/** On phones only: a line at the bottom has room for five. */
function More({ places, location }: { readonly places: readonly Place[]; readonly location: string }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [location])
  return (
    <>
      <button
        type="button"
        class="more"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-here={places.some((place) => isHere(place, location)) ? '' : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon of={Ellipsis} />
        <span>{say('app.more')}</span>
      </button>
      {isOpen && (
        <Dialog title={say('app.more')} class="more-places" onClose={() => setOpen(false)}>
          <ul>
            {places.map((place) => (
              <li key={place.path}>
                <PlaceLink place={place} location={location} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

/** What a person should know of the server while the page goes on by itself. */
function Notice() {
  const text = noticeText()
  return <div role="status">{text !== undefined && <p class="notice">{text}</p>}</div>
}

function noticeText(): string | undefined {
  if (liveState.value !== 'open') return say(liveState.value === 'stopping' ? 'app.stopping' : 'app.offline')
  const seconds = Math.ceil((heldUntil.value - Date.now()) / 1000)
  return seconds > 0 ? say('app.too-many', { seconds }) : undefined
}
