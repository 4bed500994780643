/** The access tokens of the person: creating, and revoking. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { createToken, revokeToken, SCOPES, tokensQuery } from '../data/access-tokens.ts'
import { isAdmin } from '../data/who.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import { PasswordField } from './password-field.tsx'
import { ShownOnce } from './shown-once.tsx'
import { Failed, Waiting } from './states.tsx'
import '../words/en-tokens.ts'

const DAYS = 90

export function TokenSettings() {
  const { data, error, refetch } = useQuery(tokensQuery)
  const [adds, setAdds] = useState(false)
  const [revoked, setRevoked] = useState<{ readonly id: string; readonly name: string }>()
  const [token, setToken] = useState<string>()
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  return (
    <>
      <p>{say('tokens.hint')}</p>
      {data.items.length === 0 && <p class="soft">{say('tokens.none')}</p>}
      <ul class="files">
        {data.items.map(({ id, name, scopes, expiresAt, lastUsedAt }) => (
          <li key={id} class="file">
            <div>
              <strong>{name}</strong>
              <p class="soft">{scopes.map((scope) => say(`tokens.scope.${scope}`)).join(' · ')}</p>
              <p class="soft">
                {say('tokens.until', { time: moment(expiresAt) })} ·{' '}
                {lastUsedAt === null ? say('tokens.unused') : say('tokens.used', { time: moment(lastUsedAt) })}
              </p>
            </div>
            <button type="button" aria-label={say('tokens.revoke.label', { name })} onClick={() => setRevoked({ id, name })}>
              {say('tokens.revoke')}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="primary" onClick={() => setAdds(true)}>
        {say('tokens.add')}
      </button>
      {revoked && (
        <Ask
          title={say('tokens.revoke.label', revoked)}
          action={say('tokens.revoke')}
          isDangerous
          send={() => revokeToken(revoked.id)}
          onClose={() => setRevoked(undefined)}
        />
      )}
      {adds && <AddToken onToken={setToken} onClose={() => setAdds(false)} />}
      {token !== undefined && !adds && (
        <ShownOnce
          title={say('tokens.shown')}
          label={say('tokens.token')}
          secret={token}
          hint={say('tokens.shown.hint')}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  )
}

function AddToken({ onToken, onClose }: { readonly onToken: (token: string) => void; readonly onClose: () => void }) {
  const scopes = SCOPES.filter((scope) => scope !== 'admin' || isAdmin())
  return (
    <Ask
      title={say('tokens.add')}
      action={say('tokens.add')}
      send={async ({ name = '', days, password = '', ...chosen }) => {
        const answer = await createToken({
          name,
          expiresInDays: Number(days),
          scopes: scopes.filter((scope) => chosen[scope] !== undefined || scope === 'read'),
          password,
        })
        if (answer.ok) onToken(answer.value.token)
        return answer
      }}
      onClose={onClose}
    >
      {(wrongWith) => (
        <>
          <Field
            label={say('tokens.name')}
            name="name"
            required
            autocomplete="off"
            hint={say('tokens.name.hint')}
            wrong={wrongWith('name')}
          />
          <fieldset class="choices">
            <legend>{say('tokens.scopes')}</legend>
            {scopes.map((scope) => (
              <label class="check" key={scope}>
                <input type="checkbox" name={scope} defaultChecked={scope === 'read'} disabled={scope === 'read'} />
                {say(`tokens.scope.${scope}`)}
              </label>
            ))}
          </fieldset>
          <Field
            label={say('tokens.days')}
            name="days"
            type="number"
            min={1}
            max={366}
            required
            defaultValue={String(DAYS)}
            wrong={wrongWith('expiresInDays')}
          />
          <PasswordField wrongWith={wrongWith} />
        </>
      )}
    </Ask>
  )
}
