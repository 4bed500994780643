/** One's own settings: profile, playback, look, logins, data. */
import { LogOut } from 'lucide'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { signOut } from '../data/who.ts'
import type { PageProps } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { AuditSettings } from '../parts/settings-audit.tsx'
import { DataSettings } from '../parts/settings-data.tsx'
import { FactorSettings } from '../parts/settings-factor.tsx'
import { LoginSettings } from '../parts/settings-logins.tsx'
import { LookSettings, PlaybackSettings } from '../parts/settings-looks.tsx'
import { ProfileSettings } from '../parts/settings-profile.tsx'
import { TokenSettings } from '../parts/settings-tokens.tsx'
import { NotFound } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say, type Key } from '../words/words.ts'

interface Section {
  readonly path: string
  readonly name: Key
  readonly Part: ComponentType
}

const SECTIONS: readonly Section[] = [
  { path: '/settings', name: 'settings.profile', Part: ProfileSettings },
  { path: '/settings/playback', name: 'settings.playback', Part: PlaybackSettings },
  { path: '/settings/look', name: 'settings.look', Part: LookSettings },
  { path: '/settings/logins', name: 'settings.logins', Part: LoginSettings },
  { path: '/settings/second-factor', name: 'settings.factor', Part: FactorSettings },
  { path: '/settings/tokens', name: 'settings.tokens', Part: TokenSettings },
  { path: '/settings/audit', name: 'settings.audit', Part: AuditSettings },
  { path: '/settings/data', name: 'settings.data', Part: DataSettings },
]

export function Page({ params: { section } }: PageProps) {
  const path = section === undefined ? '/settings' : `/settings/${section}`
  const nav = useRef<HTMLElement>(null)
  // On a phone the parts are one line, which scrolls sideways.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [path])
  const shown = SECTIONS.find((one) => one.path === path)
  if (!shown) return <NotFound />
  const { name, Part } = shown
  return (
    <div class="settings">
      <div class="settings-side">
        <Title>{say('page.settings')}</Title>
        <nav ref={nav} aria-label={say('page.settings')}>
          {SECTIONS.map((one) => (
            <Link key={one.path} to={one.path} replace aria-current={one.path === path ? 'page' : undefined}>
              {say(one.name)}
            </Link>
          ))}
        </nav>
        <button type="button" onClick={() => void signOut()}>
          <Icon of={LogOut} size={18} />
          {say('sign-in.out')}
        </button>
      </div>
      <section class="settings-part" aria-labelledby="settings-part">
        <h2 id="settings-part">{say(name)}</h2>
        <Part />
      </section>
    </div>
  )
}
