/** Name, e-mail and password of the person. */
import { changePassword, changeProfile } from '../data/account.ts'
import { who } from '../data/who.ts'
import { say } from '../words/words.ts'
import { Wrong } from './ask.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { toast } from './toast.tsx'
import { Waiting } from './states.tsx'

export function ProfileSettings() {
  const user = who.value
  if (typeof user !== 'object') return <Waiting />
  return (
    <>
      <Profile name={user.name} email={user.email} />
      <h3>{say('settings.password')}</h3>
      <Password />
    </>
  )
}

function Profile({ name, email }: { readonly name: string; readonly email: string }) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async (values) => {
    const answer = await changeProfile({ name: values['name'] ?? '', email: values['email'] ?? '' })
    if (answer.ok) toast({ text: say('app.saved') })
    return answer
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Field label={say('sign-up.name')} name="name" defaultValue={name} autocomplete="name" required wrong={wrongWith('name')} />
      <Field
        label={say('sign-in.email')}
        name="email"
        defaultValue={email}
        autocomplete="email"
        inputMode="email"
        required
        wrong={wrongWith('email')}
      />
      <Wrong problem={problem} />
      <button class="primary" disabled={isBusy}>
        {say('app.save')}
      </button>
    </form>
  )
}

function Password() {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async ({ currentPassword = '', newPassword = '', others }) => {
    const answer = await changePassword({ currentPassword, newPassword, revokeOtherSessions: others !== undefined })
    if (answer.ok) {
      toast({ text: say('settings.password.changed') })
    }
    return answer
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Field
        label={say('settings.password.current')}
        name="currentPassword"
        type="password"
        autocomplete="current-password"
        required
        wrong={wrongWith('currentPassword')}
      />
      <Field
        label={say('settings.password.new')}
        name="newPassword"
        type="password"
        autocomplete="new-password"
        minLength={8}
        required
        hint={say('sign-up.password-hint')}
        wrong={wrongWith('newPassword')}
      />
      <label class="check">
        <input type="checkbox" name="others" defaultChecked />
        {say('settings.password.others')}
      </label>
      <Wrong problem={problem} />
      <button class="primary" disabled={isBusy}>
        {say('settings.password')}
      </button>
    </form>
  )
}
