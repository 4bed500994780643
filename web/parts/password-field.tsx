/** The field for the person's current password, which confirms an action. */
import { say } from '../words/words.ts'
import { Field } from './field.tsx'
import type { FormState } from './form.ts'

export function PasswordField({ wrongWith }: Pick<FormState, 'wrongWith'>) {
  return (
    <Field
      label={say('settings.password.current')}
      name="password"
      type="password"
      autocomplete="current-password"
      required
      wrong={wrongWith('password')}
    />
  )
}
