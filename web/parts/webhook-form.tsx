/** The forms of webhooks: where to, of what, and in which shape. */
import { addWebhook, changeWebhook, TEMPLATES, type Webhook } from '../data/webhooks.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import type { FormState } from './form.ts'

/** Kinds that most receivers want; others can be typed. */
const COMMON = ['movie.added', 'movie.missing', 'scan.failed', 'library.*', 'playback.started', 'playback.ended', 'user.*'] as const
const PREFIX = 'kind '

type Values = Readonly<Record<string, string>>

function kindsIn(values: Values): string[] {
  const typed = (values['events'] ?? '').split(/[\s,]+/).filter(Boolean)
  return [...new Set([...COMMON.filter((kind) => values[`${PREFIX}${kind}`] !== undefined), ...typed])]
}

const secretIn = ({ secret = '' }: Values) => (secret.trim() === '' ? {} : { secret: secret.trim() })
const templateIn = ({ template }: Values) => TEMPLATES.find((name) => name === template) ?? 'json'

export interface AddWebhookProps {
  readonly onSecret: (secret: string) => void
  readonly onClose: () => void
}

export function AddWebhook({ onSecret, onClose }: AddWebhookProps) {
  return (
    <Ask
      title={say('webhooks.add')}
      text={say('webhooks.hint')}
      action={say('webhooks.add')}
      send={async (values) => {
        const { url = '' } = values
        const answer = await addWebhook({ url: url.trim(), events: kindsIn(values), template: templateIn(values), ...secretIn(values) })
        if (answer.ok) onSecret(answer.value.secret)
        return answer
      }}
      onClose={onClose}
    >
      {(wrongWith) => <Fields wrongWith={wrongWith} />}
    </Ask>
  )
}

export function ChangeWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  return (
    <Ask
      title={say('webhooks.change')}
      action={say('app.save')}
      send={(values) => {
        const { url = '' } = values
        return changeWebhook(webhook.id, { url: url.trim(), events: kindsIn(values), template: templateIn(values), ...secretIn(values) })
      }}
      onClose={onClose}
    >
      {(wrongWith) => <Fields webhook={webhook} wrongWith={wrongWith} />}
    </Ask>
  )
}

function Fields({ webhook, wrongWith }: Pick<FormState, 'wrongWith'> & { readonly webhook?: Webhook }) {
  const events: readonly string[] = webhook?.events ?? ['movie.added']
  const others = events.filter((kind) => !COMMON.some((common) => common === kind))
  return (
    <>
      <Field
        label={say('webhooks.url')}
        name="url"
        type="url"
        required
        autocomplete="off"
        defaultValue={webhook?.url ?? ''}
        hint={say('webhooks.url.hint')}
        wrong={wrongWith('url')}
      />
      <label class="field">
        <span>{say('webhooks.template')}</span>
        <select name="template">
          {TEMPLATES.map((name) => (
            <option key={name} value={name} selected={name === (webhook?.template ?? 'json')}>
              {say(`webhooks.template.${name}`)}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="choices">
        <legend>{say('webhooks.events')}</legend>
        {COMMON.map((kind) => (
          <label class="check" key={kind}>
            <input type="checkbox" name={`${PREFIX}${kind}`} defaultChecked={events.includes(kind)} />
            {say(`webhooks.kind.${kind}`)}
          </label>
        ))}
      </fieldset>
      <Field
        label={say('webhooks.others')}
        name="events"
        autocomplete="off"
        defaultValue={others.join(', ')}
        hint={say('webhooks.others.hint')}
        wrong={wrongWith('events')}
      />
      <Field
        label={say(webhook ? 'webhooks.secret.other' : 'webhooks.secret.own')}
        name="secret"
        autocomplete="off"
        hint={say('webhooks.secret.hint')}
        wrong={wrongWith('secret')}
      />
    </>
  )
}
