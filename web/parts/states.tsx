/** What a page shows while it waits, when it is empty and when it failed: what it is, why, and what to do. */
import type { ComponentChildren } from 'preact'
import { CloudOff, Compass, type IconNode } from 'lucide'
import { RequestFailed, type Problem } from '../api/problems.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { Title } from './title.tsx'

export function Waiting() {
  return (
    <div class="waiting" role="status" aria-label={say('app.loading')}>
      <i />
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

export interface EmptyProps {
  readonly title: string
  readonly icon?: IconNode
  readonly children?: ComponentChildren
}

export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <section class="empty">
      {icon && <Icon of={icon} size={28} />}
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export interface FailedProps {
  readonly cause?: unknown
  /** In place of what the cause says. */
  readonly text?: string
  readonly onRetry?: () => void
  /** There is nothing else on the page: its heading is the page's. */
  readonly isPage?: boolean
}

const problemOf = (cause: unknown): Problem | undefined => (cause instanceof RequestFailed ? cause.problem : undefined)

/** Why a request failed, in words. */
export function reasonOf(cause: unknown): string | undefined {
  const problem = problemOf(cause)
  if (problem?.status === 429) return say('app.too-many', { seconds: problem.retryAfterSeconds ?? 60 })
  return problem?.status === 0 ? say('app.offline') : problem?.message
}

export function Failed({ cause, text, onRetry, isPage = false }: FailedProps) {
  if (problemOf(cause)?.status === 404) return <NotFound />
  return (
    <section class="empty" role="alert">
      <Icon of={CloudOff} size={28} />
      {isPage ? <Title>{say('app.failed')}</Title> : <h2>{say('app.failed')}</h2>}
      <p>{text ?? reasonOf(cause)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {say('app.retry')}
        </button>
      )}
    </section>
  )
}

export function NotFound() {
  return (
    <section class="empty">
      <Icon of={Compass} size={28} />
      <Title named={say('app.not-found')} />
      <p>{say('app.not-found.hint')}</p>
      <Link to="/" class="button">
        {say('app.go-home')}
      </Link>
    </section>
  )
}
