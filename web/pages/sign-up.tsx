/** Creating an account: the first one of a new server, which is its administrator's, or one's own if the server is open to all. */
import { useQuery } from '@tanstack/preact-query'
import { signInOptionsQuery } from '../data/queries.ts'
import { signUp } from '../data/who.ts'
import { Field } from '../parts/field.tsx'
import { useForm } from '../parts/form.ts'
import { Link } from '../parts/link.tsx'
import { Logo } from '../parts/logo.tsx'
import { Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page() {
  const { data: options } = useQuery(signInOptionsQuery)
  if (!options) return <Waiting />
  return (
    <main class="door" id="main">
      <Logo />
      <Title>{say('page.sign-up')}</Title>
      {options.signUp === 'off' ? (
        <p>{say('sign-up.off')}</p>
      ) : (
        <SignUpForm needsToken={options.needsSetupToken} isFirst={options.signUp === 'first'} />
      )}
      <Link to="/sign-in">{say('sign-up.have-one')}</Link>
    </main>
  )
}

interface SignUpFormProps {
  readonly needsToken: boolean
  readonly isFirst: boolean
}

function SignUpForm({ needsToken, isFirst }: SignUpFormProps) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(({ name = '', email = '', password = '', setupToken }) =>
    signUp({ name, email, password, ...(setupToken === undefined ? {} : { setupToken }) }),
  )
  return (
    <form class="form" ref={form} onSubmit={submit}>
      {isFirst && <p class="soft">{say('sign-up.first')}</p>}
      <Field label={say('sign-up.name')} name="name" autocomplete="name" required maxLength={100} wrong={wrongWith('name')} />
      <Field label={say('sign-in.email')} name="email" autocomplete="username" inputMode="email" required wrong={wrongWith('email')} />
      <Field
        label={say('sign-in.password')}
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minLength={8}
        hint={say('sign-up.password-hint')}
        wrong={wrongWith('password')}
      />
      {needsToken && (
        <Field label={say('sign-up.token')} name="setupToken" required hint={say('sign-up.token-hint')} wrong={wrongWith('setupToken')} />
      )}
      {problem && (
        <p class="wrong" role="alert">
          {problem.message}
        </p>
      )}
      <button class="primary" disabled={isBusy}>
        {say('page.sign-up')}
      </button>
    </form>
  )
}
