/** A labelled input and its error. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

type Input = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'>

export interface FieldProps extends Input {
  readonly label: string
  readonly name: string
  readonly wrong?: string | undefined
  readonly hint?: string | undefined
}

export function Field({ label, name, wrong, hint, ...input }: FieldProps) {
  const id = useId()
  const notes = [...(wrong === undefined ? [] : [`${id}-wrong`]), ...(hint === undefined ? [] : [`${id}-hint`])].join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        name={name}
        aria-invalid={wrong === undefined ? undefined : 'true'}
        aria-describedby={notes === '' ? undefined : notes}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} class="soft">
          {hint}
        </span>
      )}
      {wrong !== undefined && (
        <span id={`${id}-wrong`} class="wrong">
          {wrong}
        </span>
      )}
    </div>
  )
}
