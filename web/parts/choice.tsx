/** A labelled list to choose one from, or none. */
import { say } from '../words/words.ts'

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Undefined: any. */
  readonly onChoose: (value: string | undefined) => void
  /** There is always one. */
  readonly isNeeded?: boolean
}

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
        {!isNeeded && <option value="">{say('films.any')}</option>}
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
