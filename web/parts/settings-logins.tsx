/** The logins of the person: where they are signed in, and ending those. */
import { useQuery } from '@tanstack/preact-query'
import { endLogin, endOtherLogins, loginsQuery, ownLoginQuery } from '../data/account.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { loginName } from './login-name.ts'
import { Failed, Waiting } from './states.tsx'

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
              <button type="button" onClick={() => void endLogin(id)}>
                {say('sign-in.out')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {logins.length > 1 && (
        <button type="button" onClick={() => void endOtherLogins()}>
          {say('settings.logins.others')}
        </button>
      )}
    </>
  )
}
