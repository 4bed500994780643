/** A date to look at: the page shows what it showed then, and nothing can be changed. */
import { History } from 'lucide'
import { asOfIn, dateAt, endOf } from '../data/as-of.ts'
import { isWholeDate, today } from '../data/time-zone.ts'
import { go, withQuery } from '../router.ts'
import { longDate } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'

export interface TimeTravelProps {
  readonly search: string
  readonly path: string
}

export function TravelDate({ search, path }: TimeTravelProps) {
  const asOf = asOfIn(search)
  const choose = (date: string): void =>
    go(`${path}${withQuery(search, { asOf: date === '' ? undefined : endOf(date, Date.now()) })}`, { replace: asOf !== undefined })
  return (
    <label class="travel">
      <span>{say('past.date')}</span>
      <input
        type="date"
        data-focus="travel"
        max={today()}
        value={asOf === undefined ? '' : dateAt(asOf)}
        onChange={({ currentTarget: { value } }) => isWholeDate(value) && choose(value)}
      />
    </label>
  )
}

/** Above a page of the past. */
export function PastBand({ search, path }: TimeTravelProps) {
  const asOf = asOfIn(search)
  if (asOf === undefined) return null
  return (
    <div class="past-band" role="status">
      <Icon of={History} />
      <p>
        <strong>{say('past.band', { date: longDate(dateAt(asOf)) })}</strong> {say('past.read-only')}
      </p>
      <button type="button" onClick={() => go(`${path}${withQuery(search, { asOf: undefined })}`)}>
        {say('past.leave')}
      </button>
    </div>
  )
}
