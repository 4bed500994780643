/** Where somebody is signed in, and ending that. */
import { useQuery } from '@tanstack/preact-query'
import { endLoginOf, loginsOfQuery } from '../data/admin-users.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { loginName } from './login-name.ts'
import { Failed } from './states.tsx'
import { tellRefusal } from './toast.tsx'

export function UserLogins({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(loginsOfQuery(id))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <p class="soft">{say('app.loading')}</p>
  if (data.items.length === 0) return <p class="soft">{say('user.logins.none')}</p>
  return (
    <ul class="files">
      {data.items.map((login) => {
        const name = login.accessToken ?? loginName(login.userAgent)
        return (
          <li key={login.id} class="file">
            <div>
              <strong>{name}</strong>
              <p class="soft">
                {[login.ipAddress, say('settings.logins.seen', { time: moment(login.updatedAt) })].filter(Boolean).join(' · ')}
              </p>
            </div>
            <button
              type="button"
              aria-label={say('user.logins.end.label', { name })}
              onClick={() => void tellRefusal(endLoginOf(id, login.id), true)}
            >
              {say('user.logins.end')}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
