/** The passkeys of the person: adding and removing. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { addPasskey, hasPasskeys, passkeysQuery, removePasskey } from '../data/passkeys.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import { PasswordField } from './password-field.tsx'

export function Passkeys() {
  const { data } = useQuery(passkeysQuery)
  const [adds, setAdds] = useState(false)
  const [removed, setRemoved] = useState<{ readonly id: string; readonly name: string }>()
  if (!data) return null
  return (
    <>
      <h2>{say('passkey.title')}</h2>
      <p>{say(hasPasskeys() ? 'passkey.hint' : 'passkey.unknown')}</p>
      <ul class="files">
        {data.items.map(({ id, name }) => (
          <li key={id} class="file">
            <strong>{name}</strong>
            <button type="button" aria-label={say('passkey.remove.label', { name })} onClick={() => setRemoved({ id, name })}>
              {say('passkey.remove')}
            </button>
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <button type="button" onClick={() => setAdds(true)}>
          {say('passkey.add')}
        </button>
      )}
      {removed && (
        <Ask
          title={say('passkey.remove.label', removed)}
          action={say('passkey.remove')}
          isDangerous
          send={() => removePasskey(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
      {adds && (
        <Ask
          title={say('passkey.add')}
          action={say('passkey.add')}
          send={({ name = '', password = '' }) => addPasskey(name.trim(), password)}
          onClose={() => setAdds(false)}
        >
          {(wrongWith) => (
            <>
              <Field label={say('passkey.name')} name="name" maxLength={100} required wrong={wrongWith('name')} />
              <PasswordField wrongWith={wrongWith} />
            </>
          )}
        </Ask>
      )}
    </>
  )
}
