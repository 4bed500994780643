/** Signing in. */
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { signInOptionsQuery } from '../data/queries.ts'
import { Link } from '../parts/link.tsx'
import { Logo } from '../parts/logo.tsx'
import { Field } from '../parts/field.tsx'
import { Title } from '../parts/title.tsx'
import { useForm } from '../parts/form.ts'
import { passkeyRequestQuery, signInWithPasskey } from '../data/passkeys.ts'
import { beginPath, linkAccount, outcome } from '../data/single-sign-on.ts'
import { challenge, isSignedIn, signedOutBecause, signIn, signInWithCode } from '../data/who.ts'
import type { Answer, Problem } from '../api/problems.ts'
import { toast } from '../parts/toast.tsx'
import { say, sayKnown } from '../words/words.ts'

export const Page = () => (challenge.value === undefined ? <Password /> : <Code />)

/** Links the account with the one at the identity provider, as soon as somebody is signed in. */
let passwordToLink: string | undefined

async function thenLink(signedIn: Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  const answer = await signedIn
  if (!isSignedIn() || passwordToLink === undefined) return answer
  const linked = await linkAccount(passwordToLink)
  passwordToLink = undefined
  outcome.value = undefined
  toast({ text: linked.ok ? say('single-sign-on.done') : linked.problem.message })
  return answer
}

function Code() {
  const { form, submit, isBusy, problem, wrongWith } = useForm(({ code = '' }) => thenLink(signInWithCode(code.trim())))
  const wrong = wrongWith('code') !== undefined
  const { data: request } = useQuery(passkeyRequestQuery(challenge.value ?? ''))
  const [missed, setMissed] = useState<string>()
  useEffect(() => document.querySelector<HTMLInputElement>('input[name=code]')?.focus(), [])

  async function usePasskey(options: object): Promise<void> {
    const answer = await thenLink(signInWithPasskey(options))
    setMissed(answer.ok ? undefined : answer.problem.message)
  }
  return (
    <main class="door" id="main">
      <Logo />
      <Title>{say('sign-in.code.title')}</Title>
      <form class="form" ref={form} onSubmit={submit}>
        <Field
          label={say('sign-in.code')}
          name="code"
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck={false}
          minLength={6}
          maxLength={32}
          required
          hint={say('sign-in.code.hint')}
          wrong={wrong ? say('sign-in.code.wrong') : undefined}
        />
        {problem && !wrong && (
          <p class="wrong" role="alert">
            {sayProblem(problem)}
          </p>
        )}
        <button class="primary" disabled={isBusy}>
          {say('sign-in.submit')}
        </button>
        {request && (
          <button type="button" onClick={() => void usePasskey(request)}>
            {say('passkey.use')}
          </button>
        )}
        {missed !== undefined && (
          <p class="wrong" role="alert">
            {missed}
          </p>
        )}
        <button type="button" onClick={() => (challenge.value = undefined)}>
          {say('app.cancel')}
        </button>
      </form>
    </main>
  )
}

function Password() {
  const { form, submit, isBusy, problem, wrongWith } = useForm(({ email = '', password = '', remember }) => {
    passwordToLink = outcome.value === 'link' ? password : undefined
    return thenLink(signIn({ email, password, rememberMe: remember !== undefined }))
  })
  const { data: options } = useQuery(signInOptionsQuery)
  const came = outcome.value
  return (
    <main class="door" id="main">
      <Logo />
      <Title>{say('page.sign-in')}</Title>
      {signedOutBecause.value === 'ended' && <p role="status">{say('sign-in.ended')}</p>}
      {came !== undefined && <p role="status">{sayKnown(`sign-in.${came}`, say('sign-in.refused'))}</p>}
      <form class="form" ref={form} onSubmit={submit}>
        <Field label={say('sign-in.email')} name="email" type="email" autocomplete="username" required wrong={wrongWith('email')} />
        <Field
          label={say('sign-in.password')}
          name="password"
          type="password"
          autocomplete="current-password"
          required
          wrong={wrongWith('password')}
        />
        <label class="check">
          <input type="checkbox" name="remember" checked />
          {say('sign-in.remember')}
        </label>
        {problem && (
          <p class="wrong" role="alert">
            {sayProblem(problem)}
          </p>
        )}
        <button class="primary" disabled={isBusy}>
          {say('sign-in.submit')}
        </button>
        {options && options.singleSignOn !== null && (
          <a class="button" href={beginPath()}>
            {say('single-sign-on.with', { name: options.singleSignOn })}
          </a>
        )}
      </form>
      {options && options.signUp !== 'off' && <Link to="/sign-up">{say('sign-in.new')}</Link>}
    </main>
  )
}

function sayProblem({ status, message, retryAfterSeconds = 60 }: Problem): string {
  if (status === 401) return say('sign-in.wrong')
  if (status === 403) return say('sign-in.disabled')
  if (status === 429) return say('sign-in.locked', { seconds: retryAfterSeconds })
  return status === 0 ? say('app.offline') : message
}
