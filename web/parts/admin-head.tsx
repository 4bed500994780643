/** The head of administrators' pages: the heading, and the way to the other pages. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { say, type Key } from '../words/words.ts'
import { Link } from './link.tsx'
import { Title } from './title.tsx'
import '../words/en-admin.ts'

interface Section {
  readonly path: string
  readonly name: Key
}

const SECTIONS: readonly Section[] = [
  { path: '/admin/libraries', name: 'page.libraries' },
  { path: '/admin/users', name: 'page.users' },
  { path: '/admin/server', name: 'page.server' },
  { path: '/admin/webhooks', name: 'page.webhooks' },
  { path: '/admin/history', name: 'place.all-history' },
  { path: '/admin/stats', name: 'place.all-stats' },
  { path: '/admin/audit', name: 'page.admin-audit' },
]

export interface AdminHeadProps {
  readonly title: string
  /** The title is a name, and the window's, too. */
  readonly isName?: boolean
  /** Beside the heading. */
  readonly children?: ComponentChildren
}

export function AdminHead({ title, isName = false, children }: AdminHeadProps) {
  const [location] = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On a phone the line scrolls sideways.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [location])
  return (
    <>
      <nav ref={nav} class="tabs" aria-label={say('admin.pages')}>
        {SECTIONS.map(({ path, name }) => (
          <Link key={path} to={path} aria-current={here(path, location)}>
            {say(name)}
          </Link>
        ))}
      </nav>
      <div class="admin-head">
        {isName ? <Title named={title} /> : <Title>{title}</Title>}
        {children !== undefined && <div class="actions">{children}</div>}
      </div>
    </>
  )
}

/** `true`: a page of the section, but not its first. */
const here = (path: string, location: string): 'page' | 'true' | undefined =>
  location === path ? 'page' : location.startsWith(`${path}/`) ? 'true' : undefined
