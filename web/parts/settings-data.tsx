/** The person's data: taking it along, and erasing it. */
import { useState } from 'preact/hooks'
import { eraseMe } from '../data/account.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { PasswordField } from './password-field.tsx'

export function DataSettings() {
  return (
    <>
      <p>{say('settings.export.hint')}</p>
      <p>
        <a class="button" href="/v1/users/me/export" download="marquee-export.ndjson">
          {say('settings.export')}
        </a>
      </p>
      <h3>{say('settings.erase')}</h3>
      <p>{say('settings.erase.hint')}</p>
      <Erase />
    </>
  )
}

function Erase() {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsks(true)}>
        {say('settings.erase.begin')}
      </button>
      {asks && (
        <Ask
          title={say('settings.erase.sure')}
          text={say('settings.erase.hint')}
          action={say('settings.erase')}
          isDangerous
          send={({ password = '' }) => eraseMe(password)}
          onClose={() => setAsks(false)}
        >
          {(wrongWith) => <PasswordField wrongWith={wrongWith} />}
        </Ask>
      )}
    </>
  )
}
