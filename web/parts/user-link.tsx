/** Whether an account is linked with the identity provider, and the consent to a link without its password. */
import { useQuery } from '@tanstack/preact-query'
import { allowLink, forbidLink, linkAllowedUntil, linkQuery, type User } from '../data/admin-users.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Waiting } from './states.tsx'
import { tellRefusal } from './toast.tsx'

export function UserLink({ user }: { readonly user: User }) {
  const { id, role } = user
  const { data: link } = useQuery(linkQuery(id))
  if (!link) return <Waiting />
  const until = linkAllowedUntil(link)
  if (link.linked && until === 0) return <p>{say('user.link.on')}</p>
  if (role === 'admin') return <p class="soft">{say('user.link.admin')}</p>
  return (
    <>
      <p>{until > 0 ? say('user.link.allowed', { time: moment(new Date(until).toISOString()) }) : say('user.link.off')}</p>
      <p class="soft">{say('user.link.allow.hint')}</p>
      <button type="button" onClick={() => void tellRefusal(until > 0 ? forbidLink(id) : allowLink(id))}>
        {say(until > 0 ? 'user.link.forbid' : 'user.link.allow')}
      </button>
    </>
  )
}
