/** Which libraries somebody sees, and how many films they may play at once. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Library } from '../data/admin-libraries.ts'
import { changeUser, type User } from '../data/admin-users.ts'
import { librariesQuery } from '../data/queries.ts'
import { say } from '../words/words.ts'
import { Wrong } from './ask.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { Failed } from './states.tsx'
import { toast } from './toast.tsx'

const ACCESS = ['all', 'selected'] as const
const GRANT = 'grant '

export function UserAccess({ user }: { readonly user: User }) {
  const [access, setAccess] = useState(user.libraryAccess)
  const { data: libraries, error, refetch } = useQuery({ ...librariesQuery, enabled: access === 'selected' })
  const { form, submit, isBusy, problem, wrongWith } = useForm(async ({ maxConcurrentStreams: limit = '', ...values }) => {
    const libraryIds = Object.keys(values).flatMap((name) => (name.startsWith(GRANT) ? [name.slice(GRANT.length)] : []))
    const answer = await changeUser(user.id, {
      libraryAccess: access,
      // Without a list to choose from the grants stay as they are: for the day on which the choice is made again, or until the list is there.
      ...(access === 'selected' && libraries ? { libraryIds } : {}),
      maxConcurrentStreams: limit === '' ? null : Number(limit),
    })
    if (answer.ok) toast({ text: say('app.saved') })
    return answer
  })
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <fieldset class="choices">
        <legend>{say('user.access.libraries')}</legend>
        {ACCESS.map((one) => (
          <label class="check" key={one}>
            <input type="radio" name="access" checked={access === one} onChange={() => setAccess(one)} />
            {say(`user.access.${one}`)}
          </label>
        ))}
        {access === 'selected' &&
          (libraries ? (
            <Grants libraries={libraries.items} granted={user.libraryIds} />
          ) : error ? (
            <Failed cause={error} onRetry={() => void refetch()} />
          ) : (
            <p class="soft">{say('app.loading')}</p>
          ))}
      </fieldset>
      <Field
        label={say('user.limit')}
        name="maxConcurrentStreams"
        type="number"
        min={1}
        max={1000}
        defaultValue={user.maxConcurrentStreams === null ? '' : String(user.maxConcurrentStreams)}
        hint={say('user.limit.hint')}
        wrong={wrongWith('maxConcurrentStreams')}
      />
      <Wrong problem={problem} />
      <button class="primary" disabled={isBusy}>
        {say('app.save')}
      </button>
    </form>
  )
}

interface GrantsProps {
  readonly libraries: readonly Library[]
  readonly granted: readonly string[]
}

const Grants = ({ libraries, granted }: GrantsProps) => (
  <div class="grants">
    {libraries.map(({ id, name }) => (
      <label class="check" key={id}>
        <input type="checkbox" name={`${GRANT}${id}`} defaultChecked={granted.includes(id)} />
        {name}
      </label>
    ))}
  </div>
)
