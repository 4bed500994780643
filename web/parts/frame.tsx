/** What surrounds every page but the player: skip link, navigation, account, notes. */
import type { ComponentChildren } from 'preact'
import { BookmarkCheck, CircleUser, Film, House, Layers, Search } from 'lucide-preact'
import { useLocation } from 'wouter-preact'
import { liveState } from '../data/live.ts'
import { heldUntil } from '../data/query-client.ts'
import { who } from '../data/who.ts'
import { say, type Key } from '../words/words.ts'
import { Icon, type IconProps } from './icon.tsx'
import { Link } from './link.tsx'
import { useShortcuts } from './shortcuts.ts'

interface Place {
  readonly path: string
  readonly name: Key
  readonly icon: IconProps['of']
}

const PLACES: readonly Place[] = [
  { path: '/', name: 'page.home', icon: House },
  { path: '/films', name: 'page.films', icon: Film },
  { path: '/search', name: 'page.search', icon: Search },
  { path: '/watchlist', name: 'page.watchlist', icon: BookmarkCheck },
  { path: '/collections', name: 'page.collections', icon: Layers },
]

const isHere = (path: string, location: string): boolean => (path === '/' ? location === '/' : location.startsWith(path))

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [location] = useLocation()
  useShortcuts()
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
          {PLACES.map(({ path, name, icon }) => (
            <Link key={path} to={path} aria-current={isHere(path, location) ? 'page' : undefined}>
              <Icon of={icon} />
              <span>{say(name)}</span>
            </Link>
          ))}
        </nav>
        <Link to="/settings" class="account" aria-current={isHere('/settings', location) ? 'page' : undefined}>
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
