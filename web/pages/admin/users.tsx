/** All accounts, and making new ones. */
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { Search, UserPlus, Users } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { createUser, type User } from '../../data/admin-users.ts'
import { usersQuery } from '../../data/users-query.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { Ask } from '../../parts/ask.tsx'
import { Face } from '../../parts/face.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { go } from '../../router.ts'
import { moment } from '../../words/format.ts'
import { say } from '../../words/words.ts'

export function Page() {
  const q = new URLSearchParams(useSearch()).get('q') ?? ''
  const { data, error, refetch } = useQuery({ ...usersQuery(q), placeholderData: keepPreviousData })
  const [adds, setAdds] = useState(false)
  return (
    <>
      <AdminHead title={say('page.users')}>
        <button type="button" class="primary" onClick={() => setAdds(true)}>
          <Icon of={UserPlus} size={18} />
          {say('users.add')}
        </button>
      </AdminHead>
      <Find q={q} />
      {data ? (
        <List users={data.items} q={q} hasMore={data.nextCursor !== null} />
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
      {adds && <AddUser onClose={() => setAdds(false)} />}
    </>
  )
}

const PAUSE_MS = 150

/** What is typed stands in the address once nothing was typed for a moment. */
function Find({ q }: { readonly q: string }) {
  const [text, setText] = useState(q)
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === q) return undefined
    const to = wanted === '' ? '/admin/users' : `/admin/users?q=${encodeURIComponent(wanted)}`
    const timer = setTimeout(() => go(to, { replace: true }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, q])
  return (
    <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
      <Icon of={Search} />
      <input
        type="search"
        name="q"
        value={text}
        placeholder={say('users.search')}
        aria-label={say('users.search')}
        maxLength={200}
        autocomplete="off"
        data-focus="search"
        onInput={({ currentTarget: { value } }) => setText(value)}
      />
    </form>
  )
}

interface ListProps {
  readonly users: readonly User[]
  readonly q: string
  readonly hasMore: boolean
}

function List({ users, q, hasMore }: ListProps) {
  if (users.length === 0) {
    return (
      <Empty title={say('users.none', { text: q })} icon={Users}>
        <p>{say('users.none.hint')}</p>
      </Empty>
    )
  }
  return (
    <>
      <ul class="tiles">
        {users.map((user) => (
          <li key={user.id}>
            <UserTile user={user} />
          </li>
        ))}
      </ul>
      {hasMore && <p class="soft">{say('users.first', { count: users.length })}</p>}
    </>
  )
}

function UserTile({ user }: { readonly user: User }) {
  const { id, name, email, role, enabled, lastSeenAt } = user
  return (
    <Link to={`/admin/users/${id}`} class="tile" data-focus={`user ${id}`}>
      <Face name={name} image={null} />
      <span>
        <strong>{name}</strong>
        <span class="soft">{email}</span>
        <span class="facts-line">
          {role === 'admin' && <span class="badge on">{say('user.role.admin')}</span>}
          {!enabled && <span class="badge bad">{say('user.disabled')}</span>}
          <span class="soft">{lastSeenAt === null ? say('user.never-seen') : say('user.seen', { time: moment(lastSeenAt) })}</span>
        </span>
      </span>
    </Link>
  )
}

function AddUser({ onClose }: { readonly onClose: () => void }) {
  return (
    <Ask
      title={say('users.add.title')}
      text={say('users.add.hint')}
      action={say('users.add')}
      send={async ({ name = '', email = '', password = '', admin }) => {
        const answer = await createUser({ name, email, password, role: admin === undefined ? 'user' : 'admin' })
        if (answer.ok) go(`/admin/users/${answer.value.id}`)
        return answer
      }}
      onClose={onClose}
    >
      {(wrongWith) => (
        <>
          <Field label={say('sign-up.name')} name="name" required autocomplete="off" wrong={wrongWith('name')} />
          <Field label={say('sign-in.email')} name="email" required autocomplete="off" inputMode="email" wrong={wrongWith('email')} />
          <Field
            label={say('sign-in.password')}
            name="password"
            type="password"
            required
            minLength={8}
            autocomplete="new-password"
            hint={say('sign-up.password-hint')}
            wrong={wrongWith('password')}
          />
          <label class="check">
            <input type="checkbox" name="admin" />
            {say('users.add.admin')}
          </label>
        </>
      )}
    </Ask>
  )
}
