/** The logins of the person: where they are signed in, ending those, and single sign-on. */
import { useQuery } from '@tanstack/preact-query'
import { endLogin, endOtherLogins, loginsQuery, ownLoginQuery } from '../data/account.ts'
import { moment } from '../words/format.ts'
import { say, sayKnown } from '../words/words.ts'
import { beginPath, linkAccount, outcome, singleSignOnQuery, unlinkAccount } from '../data/single-sign-on.ts'
import { Ask } from './ask.tsx'
import { loginName } from './login-name.ts'
import { PasswordField } from './password-field.tsx'
import { Failed, Waiting } from './states.tsx'
import { tellRefusal, toast } from './toast.tsx'

export function LoginSettings() {
  const { data: logins, error, refetch } = useQuery(loginsQuery)
  const { data: own } = useQuery(ownLoginQuery)
  if (!logins) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  return (
    <>
      <ul class="files">
        {logins.map(({ id, userAgent, ipAddress, updatedAt }) => (
          <li key={id} class="file">
            <div>
              <strong>{loginName(userAgent)}</strong>
              <p class="soft">{[ipAddress, say('settings.logins.seen', { time: moment(updatedAt) })].filter(Boolean).join(' · ')}</p>
            </div>
            {own?.session.id === id ? (
              <span class="soft">{say('settings.logins.this')}</span>
            ) : (
              <button type="button" onClick={() => void tellRefusal(endLogin(id), true)}>
                {say('sign-in.out')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {logins.length > 1 && (
        <button type="button" onClick={() => void tellRefusal(endOtherLogins())}>
          {say('settings.logins.others')}
        </button>
      )}
      <SingleSignOn />
    </>
  )
}

function SingleSignOn() {
  const { data } = useQuery(singleSignOnQuery)
  if (!data || data.name === null) return null
  const { name } = data
  const came = outcome.value
  const close = (): void => void (outcome.value = undefined)
  return (
    <>
      <h2>{name}</h2>
      {came !== undefined && came !== 'link' && <p role="status">{sayKnown(`sign-in.${came}`, say('sign-in.refused'))}</p>}
      <p>{say(data.linked ? 'single-sign-on.on' : 'single-sign-on.off')}</p>
      {data.linked ? (
        <button type="button" onClick={() => void tellRefusal(unlinkAccount())}>
          {say('single-sign-on.unlink')}
        </button>
      ) : (
        <a class="button" href={beginPath('link=true&')}>
          {say('single-sign-on.begin')}
        </a>
      )}
      {came === 'link' && (
        <Ask
          title={name}
          action={say('single-sign-on.begin')}
          send={({ password = '' }) => linkAccount(password)}
          onDone={() => toast({ text: say('single-sign-on.done') })}
          onClose={close}
        >
          {(wrongWith) => <PasswordField wrongWith={wrongWith} />}
        </Ask>
      )}
    </>
  )
}
