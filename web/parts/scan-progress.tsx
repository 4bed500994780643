/** A scan while it runs: its phase, how far it is, and what it has found so far. */
import { X } from 'lucide'
import type { Scan } from '../data/admin-libraries.ts'
import { changesOf, phasesOf, shareOf } from '../data/scan-view.ts'
import { duration, number } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Meter } from './meter.tsx'

export interface ScanProgressProps {
  readonly scan: Scan
  readonly onCancel?: () => void
}

export function ScanProgress({ scan, onCancel }: ScanProgressProps) {
  const { done, total, current, etaSeconds } = scan.progress
  const share = shareOf(scan)
  const text =
    share === undefined ? say('scan.seen', { count: scan.counts.seen }) : say('scan.done', { done: number(done), total: number(total) })
  return (
    <section class="scan" aria-label={say('scan.running')}>
      <ol class="phases">
        {phasesOf(scan).map(({ phase, is }) => (
          <li key={phase} class={is} aria-current={is === 'now' ? 'step' : undefined}>
            {say(`scan.phase.${phase}`)}
          </li>
        ))}
      </ol>
      <Meter label={say('scan.running')} share={share} text={text} />
      <p class="scan-line">
        <span>{text}</span>
        {etaSeconds !== null && share !== undefined && <span class="soft">{say('scan.left', { time: duration(etaSeconds) })}</span>}
        <ScanCounts scan={scan} />
      </p>
      <p class="scan-file soft">{current ?? ' '}</p>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          <Icon of={X} size={18} />
          {say('scan.cancel')}
        </button>
      )}
    </section>
  )
}

/** "3 added, 1 missing"; nothing has changed: nothing. */
export function ScanCounts({ scan }: { readonly scan: Pick<Scan, 'counts'> }) {
  const { errors } = scan.counts
  return (
    <>
      {changesOf(scan).map(({ name, count }) => (
        <span key={name} class={name === 'missing' ? 'badge bad' : 'badge'}>
          {say(`scan.count.${name}`, { count })}
        </span>
      ))}
      {errors > 0 && <span class="badge bad">{say('scan.count.errors', { count: errors })}</span>}
    </>
  )
}
