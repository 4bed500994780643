/** What a page shows while it waits, when it is empty and when it failed: what it is, why, and what to do. */
import type { ComponentChildren } from 'preact'
import { RequestFailed } from '../api/problems.ts'
import { say } from '../words/words.ts'
import { Link } from './link.tsx'

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
  readonly children?: ComponentChildren
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <section class="empty">
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
}

export function Failed({ cause, text, onRetry }: FailedProps) {
  const problem = cause instanceof RequestFailed ? cause.problem : undefined
  if (problem?.status === 404) return <NotFound />
  const waits = problem?.status === 429 ? say('app.too-many', { seconds: problem.retryAfterSeconds ?? 60 }) : undefined
  return (
    <section class="empty" role="alert">
      <h2>{say('app.failed')}</h2>
      <p>{text ?? waits ?? (problem?.status === 0 ? say('app.offline') : problem?.message)}</p>
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
      <h1 tabIndex={-1}>{say('app.not-found')}</h1>
      <p>{say('app.not-found.hint')}</p>
      <Link to="/" class="button">
        {say('app.go-home')}
      </Link>
    </section>
  )
}
