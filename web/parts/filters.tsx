/**
 * What filters of the past consist of: choices, dates, and chips that take a filter away. The list of films has its own: a script of its own
 * for these would be too much for that page.
 */
import { X } from 'lucide'
import { isWholeDate } from '../data/time-zone.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Undefined: any. */
  readonly onChoose: (value: string | undefined) => void
  /** There is always one. */
  readonly isNeeded?: boolean
}

/** A list to choose one from, or none. */
export function Choice({ label, value, options, onChoose, isNeeded = false }: ChoiceProps) {
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <label>
      <span>{label}</span>
      <select
        class={value === '' || isNeeded ? undefined : 'set'}
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
      >
        {!isNeeded && <option value="">{say('movies.any')}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  )
}

export interface DateChoiceProps {
  readonly label: string
  readonly value: string
  /** Undefined: any. */
  readonly onChoose: (date: string | undefined) => void
  /** There is always one. */
  readonly isNeeded?: boolean
}

export function DateChoice({ label, value, onChoose, isNeeded = false }: DateChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="date"
        class={value === '' || isNeeded ? undefined : 'set'}
        value={value}
        onChange={({ currentTarget: { value: date } }) => isWholeDate(date) && (date !== '' || !isNeeded) && onChoose(date || undefined)}
      />
    </label>
  )
}

export interface ChipsProps {
  readonly chips: readonly { readonly key: string; readonly text: string; readonly name?: string; readonly onRemove: () => void }[]
}

/** The filters that are set. `name` is read out in place of the text. */
export function Chips({ chips }: ChipsProps) {
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={say('movies.filters')}>
      {chips.map(({ key, text, name = text, onRemove }) => (
        <li key={key}>
          <button type="button" class="chip" onClick={onRemove} aria-label={say('movies.remove-filter', { name })}>
            {text}
            <Icon of={X} size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}
