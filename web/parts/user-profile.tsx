/** Name, e-mail, role and password of somebody else, for administrators. */
import { changeUser, resetPassword, type User } from '../data/admin-users.ts'
import { say } from '../words/words.ts'
import { Wrong } from './ask.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { toast } from './toast.tsx'

const ROLES = ['user', 'admin'] as const

export function UserProfile({ user }: { readonly user: User }) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async ({ name = '', email = '', role }) => {
    const answer = await changeUser(user.id, { name, email, role: role === 'admin' ? 'admin' : 'user' })
    if (answer.ok) toast({ text: say('app.saved') })
    return answer
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Field label={say('sign-up.name')} name="name" defaultValue={user.name} required autocomplete="off" wrong={wrongWith('name')} />
      <Field
        label={say('sign-in.email')}
        name="email"
        defaultValue={user.email}
        required
        autocomplete="off"
        inputMode="email"
        wrong={wrongWith('email')}
      />
      <label class="field">
        <span>{say('user.role')}</span>
        <select name="role">
          {ROLES.map((role) => (
            <option key={role} value={role} selected={role === user.role}>
              {say(`user.role.${role}`)}
            </option>
          ))}
        </select>
      </label>
      <Wrong problem={problem} />
      <button class="primary" disabled={isBusy}>
        {say('app.save')}
      </button>
    </form>
  )
}

export function UserPassword({ id }: { readonly id: string }) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async ({ password = '' }) => {
    const answer = await resetPassword(id, password)
    if (answer.ok) toast({ text: say('settings.password.changed') })
    return answer
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <p class="soft">{say('user.password.hint')}</p>
      <Field
        label={say('settings.password.new')}
        name="password"
        type="password"
        required
        minLength={8}
        autocomplete="new-password"
        hint={say('sign-up.password-hint')}
        wrong={wrongWith('password')}
      />
      <Wrong problem={problem} />
      <button disabled={isBusy}>{say('user.password')}</button>
    </form>
  )
}
