/** The end of an account: removed, or erased so that nothing of the person can be read any more. */
import { useState } from 'preact/hooks'
import { eraseUser, removeUser, type User } from '../data/admin-users.ts'
import { go } from '../router.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import { toast } from './toast.tsx'

export function UserEnd({ user: { id, name } }: { readonly user: User }) {
  const [asks, setAsks] = useState<'remove' | 'erase'>()
  const close = (): void => setAsks(undefined)
  return (
    <>
      <p class="soft">{say('user.end.hint')}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => setAsks('remove')}>
          {say('user.remove.begin')}
        </button>
        <button type="button" class="danger" onClick={() => setAsks('erase')}>
          {say('user.erase.begin')}
        </button>
      </div>
      {asks === 'remove' && (
        <Ask
          title={say('user.remove.title', { name })}
          text={say('user.remove.hint')}
          action={say('user.remove')}
          isDangerous
          send={() => removeUser(id)}
          onDone={() => {
            toast({ text: say('user.remove.done', { name }) })
            go('/admin/users')
          }}
          onClose={close}
        />
      )}
      {asks === 'erase' && <Erase id={id} name={name} onClose={close} />}
    </>
  )
}

interface EraseProps {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

/** It cannot be undone, so the name is typed. */
function Erase({ id, name, onClose }: EraseProps) {
  const [typed, setTyped] = useState('')
  const isRight = typed.trim().toLocaleLowerCase() === name.trim().toLocaleLowerCase()
  return (
    <Ask
      title={say('user.erase.title', { name })}
      text={say('user.erase.hint')}
      action={say('user.erase')}
      isDangerous
      send={async () => {
        if (!isRight)
          return { ok: false, problem: { status: 422, message: say('user.erase.wrong'), fields: {}, retryAfterSeconds: undefined } }
        const answer = await eraseUser(id)
        if (answer.ok) go(`/admin/users/${id}?erased=${answer.value?.id ?? ''}`, { replace: true })
        return answer
      }}
      onClose={onClose}
    >
      {() => (
        <Field
          label={say('user.erase.type', { name })}
          name="typed"
          required
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget: { value } }) => setTyped(value)}
        />
      )}
    </Ask>
  )
}
