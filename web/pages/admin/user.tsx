/** One account: profile, what the person sees, limits, logins, and its end. After erasing it, the receipt. */
import { useQuery } from '@tanstack/preact-query'
import { useSearch } from 'wouter-preact'
import { changeUser, userQuery, type User } from '../../data/admin-users.ts'
import { singleSignOnQuery } from '../../data/single-sign-on.ts'
import { isSomebodyElse } from '../../data/who.ts'
import type { PageProps } from '../../pages.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AdminPart } from '../../parts/admin-part.tsx'
import { EraseReceipt } from '../../parts/erase-receipt.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { tellRefusal, toast } from '../../parts/toast.tsx'
import { UserAccess } from '../../parts/user-access.tsx'
import { UserEnd } from '../../parts/user-end.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { UserLogins } from '../../parts/user-logins.tsx'
import { UserPassword, UserProfile } from '../../parts/user-profile.tsx'
import { say } from '../../words/words.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const erasure = new URLSearchParams(useSearch()).get('erased')
  return erasure === null ? <Account id={id} /> : <EraseReceipt erasure={erasure} />
}

function Account({ id }: { readonly id: string }) {
  const { data: user, error, refetch } = useQuery(userQuery(id))
  const { data: provider } = useQuery(singleSignOnQuery)
  if (!user) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  const isSelf = !isSomebodyElse(id)
  const access = JSON.stringify([user.libraryAccess, user.libraryIds, user.maxConcurrentStreams])
  return (
    <>
      <AdminHead title={user.name} isName>
        {!isSelf && <EnabledButton user={user} />}
      </AdminHead>
      {!user.enabled && <p class="alarm">{say('user.disabled.hint')}</p>}
      <div class="admin-columns">
        <AdminPart title={say('settings.profile')}>
          <UserProfile key={id} user={user} />
        </AdminPart>
        <AdminPart title={say('user.access')}>
          <UserAccess key={access} user={user} />
        </AdminPart>
        <AdminPart title={say('settings.logins')}>
          <UserLogins id={id} />
        </AdminPart>
        <AdminPart title={say('user.password')}>
          <UserPassword id={id} />
        </AdminPart>
        {provider && provider.name !== null && (
          <AdminPart title={say('user.link')}>
            <UserLink user={user} />
          </AdminPart>
        )}
        {!isSelf && (
          <AdminPart title={say('user.end')}>
            <UserEnd user={user} />
          </AdminPart>
        )}
      </div>
    </>
  )
}

function EnabledButton({ user: { id, enabled, name } }: { readonly user: User }) {
  const change = async (): Promise<void> => {
    const answer = await changeUser(id, { enabled: !enabled })
    const done = say(enabled ? 'user.disable.done' : 'user.enable.done', { name })
    toast(
      answer.ok
        ? { text: done, ...(enabled ? { undo: () => void tellRefusal(changeUser(id, { enabled: true })) } : {}) }
        : { text: answer.problem.message },
    )
  }
  return (
    <button type="button" class={enabled ? 'danger' : 'primary'} onClick={() => void change()}>
      {say(enabled ? 'user.disable' : 'user.enable')}
    </button>
  )
}
