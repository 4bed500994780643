/** The second factor of the person: setting it up, new recovery codes, turning it off. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { activateFactor, disableFactor, factorQuery, prepareFactor, replaceCodes, type NewFactor } from '../data/second-factor.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import type { FormState } from './form.ts'
import { PasswordField } from './password-field.tsx'
import { Passkeys } from './settings-passkeys.tsx'
import { Failed, Waiting } from './states.tsx'
import { toast } from './toast.tsx'
import '../words/en-factor.ts'

type Asked = 'begin' | 'stop' | 'codes'
/** The light modules around a QR code that readers need. */
const MARGIN = 4

export function FactorSettings() {
  const { data, error, refetch } = useQuery(factorQuery)
  const [asks, setAsks] = useState<Asked>()
  const [made, setMade] = useState<NewFactor>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  const close = (): void => setAsks(undefined)
  return (
    <>
      <p>{say('factor.hint')}</p>
      <p>{data.enabled ? say('factor.on', { left: data.backupCodesLeft }) : say('factor.off')}</p>
      {data.enabled ? (
        <div class="actions">
          <button type="button" onClick={() => setAsks('codes')}>
            {say('factor.codes')}
          </button>
          <button type="button" class="danger" onClick={() => setAsks('stop')}>
            {say('factor.stop')}
          </button>
        </div>
      ) : (
        <button type="button" class="primary" onClick={() => setAsks('begin')}>
          {say('factor.begin')}
        </button>
      )}
      {data.enabled && <Passkeys />}
      {codes && <Codes codes={codes} />}
      {asks === 'begin' && (
        <Ask
          title={say('factor.begin')}
          action={say('factor.begin')}
          send={async ({ password = '' }) => {
            const answer = await prepareFactor(password)
            if (answer.ok) setMade(answer.value)
            return answer
          }}
          onClose={close}
        >
          {(wrongWith) => <PasswordField wrongWith={wrongWith} />}
        </Ask>
      )}
      {asks === 'codes' && (
        <Ask
          title={say('factor.codes')}
          action={say('factor.codes')}
          send={async ({ password = '', code = '' }) => {
            const answer = await replaceCodes(password, code.trim())
            if (answer.ok) setCodes(answer.value.backupCodes)
            return answer
          }}
          onClose={close}
        >
          {(wrongWith) => (
            <>
              <PasswordField wrongWith={wrongWith} />
              <Code wrongWith={wrongWith} />
            </>
          )}
        </Ask>
      )}
      {asks === 'stop' && (
        <Ask
          title={say('factor.stop')}
          action={say('factor.stop')}
          isDangerous
          send={({ password = '', code = '' }) => disableFactor(password, code.trim())}
          onClose={close}
          onDone={() => setCodes(undefined)}
        >
          {(wrongWith) => (
            <>
              <PasswordField wrongWith={wrongWith} />
              <Code wrongWith={wrongWith} />
            </>
          )}
        </Ask>
      )}
      {made && !asks && <SetUp made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

type Wrong = Pick<FormState, 'wrongWith'>

function Code({ wrongWith }: Wrong) {
  return (
    <Field
      label={say('sign-in.code')}
      name="code"
      autocomplete="one-time-code"
      minLength={6}
      maxLength={32}
      required
      wrong={wrongWith('code') && say('sign-in.code.wrong')}
    />
  )
}

function Codes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <h3>{say('factor.backup')}</h3>
      <p>{say('factor.backup.hint')}</p>
      <pre class="codes">{codes.join('\n')}</pre>
    </>
  )
}

function SetUp({ made: { qrCode, secret, backupCodes }, onClose }: { readonly made: NewFactor; readonly onClose: () => void }) {
  const side = qrCode.size + 2 * MARGIN
  return (
    <Ask
      title={say('factor.begin')}
      text={say('factor.scan')}
      action={say('factor.activate')}
      send={({ code = '' }) => activateFactor(code.trim())}
      onClose={onClose}
      onDone={() => toast({ text: say('factor.done') })}
    >
      {(wrongWith) => (
        <>
          <svg class="qr" role="img" aria-label={say('factor.qr')} viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}>
            <path d={qrCode.path} />
          </svg>
          <Field
            label={say('factor.secret')}
            name="secret"
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Codes codes={backupCodes} />
          <Code wrongWith={wrongWith} />
        </>
      )}
    </Ask>
  )
}
