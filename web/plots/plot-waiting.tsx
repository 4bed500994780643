/** In place of a plot whose numbers are not there yet, or did not come. */
import { Failed } from '../parts/states.tsx'
import { say } from '../words/words.ts'

export interface PlotWaitingProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly isWide?: boolean
}

export function PlotWaiting({ error, onRetry, isWide = false }: PlotWaitingProps) {
  const kind = isWide ? 'plot wide waits' : 'plot waits'
  if (error)
    return (
      <div class={kind}>
        <Failed cause={error} onRetry={onRetry} />
      </div>
    )
  return <div class={kind} role="status" aria-label={say('app.loading')} />
}
