/** One webhook: its URL, its events, whether it is on, and its deliveries. */
import { useInfiniteQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import {
  changeWebhook,
  deliveriesQuery,
  refreshDeliveries,
  removeWebhook,
  retryDelivery,
  testWebhook,
  type Delivery,
  type DeliveryState,
  type Webhook,
} from '../data/webhooks.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { ShowMore } from './show-more.tsx'
import { Failed } from './states.tsx'
import { tellRefusal, toast } from './toast.tsx'
import { ChangeWebhook } from './webhook-form.tsx'

export function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, template, events, enabled, disabledBecause } = webhook
  const [asks, setAsks] = useState<'change' | 'remove'>()
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setAsks(undefined)
  const name = url ?? say('webhooks.gone')
  return (
    <section class="library-card webhook" aria-label={name}>
      <h2>{name}</h2>
      <p class="facts-line">
        <span class={enabled ? 'badge on' : 'badge bad'}>
          {say(enabled ? 'webhooks.on' : disabledBecause === 'gone' ? 'webhooks.off.gone' : 'webhooks.off')}
        </span>
        <span class="soft">{say(`webhooks.template.${template}`)}</span>
      </p>
      <ul class="chips" aria-label={say('webhooks.events')}>
        {events.map((kind) => (
          <li class="chip" key={kind}>
            <code>{kind}</code>
          </li>
        ))}
      </ul>
      <Actions webhook={webhook} onAsk={setAsks} />
      <details class="scan-entry" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary>{say('deliveries.title')}</summary>
        {isOpen && <Deliveries id={id} />}
      </details>
      {asks === 'change' && <ChangeWebhook webhook={webhook} onClose={close} />}
      {asks === 'remove' && (
        <Ask
          title={say('webhooks.remove.title')}
          text={say('webhooks.remove.hint')}
          action={say('webhooks.remove')}
          isDangerous
          send={() => removeWebhook(id)}
          onClose={close}
        />
      )}
    </section>
  )
}

interface ActionsProps {
  readonly webhook: Webhook
  readonly onAsk: (what: 'change' | 'remove') => void
}

function Actions({ webhook: { id, enabled }, onAsk }: ActionsProps) {
  const [isTesting, setTesting] = useState(false)
  const test = async (): Promise<void> => {
    setTesting(true)
    const testing = testWebhook(id)
    await tellRefusal(testing)
    const answer = await testing
    setTesting(false)
    if (!answer.ok) return
    const { delivered, status, reason } = answer.value
    toast({
      text: delivered ? say('webhooks.test.done', { status: String(status) }) : say('webhooks.test.failed', { reason: reason ?? '' }),
    })
  }
  return (
    <div class="actions">
      <button type="button" data-focus={`test ${id}`} disabled={isTesting} onClick={() => void test()}>
        {say('webhooks.test')}
      </button>
      <button type="button" data-focus={`change ${id}`} onClick={() => onAsk('change')}>
        {say('webhooks.change')}
      </button>
      <button type="button" data-focus={`turn ${id}`} onClick={() => void tellRefusal(changeWebhook(id, { enabled: !enabled }))}>
        {say(enabled ? 'webhooks.turn-off' : 'webhooks.turn-on')}
      </button>
      <button type="button" class="danger" data-focus={`remove ${id}`} onClick={() => onAsk('remove')}>
        {say('webhooks.remove')}
      </button>
    </div>
  )
}

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'parked']

function Deliveries({ id }: { readonly id: string }) {
  const [state, setState] = useState<DeliveryState>()
  const list = useInfiniteQuery(deliveriesQuery(id, state))
  const { data, error, refetch, isFetching } = list
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div class="deliveries">
      <div class="actions">
        <select
          aria-label={say('deliveries.state')}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => setState(STATES.find((one) => one === value))}
        >
          <option value="">{say('deliveries.all')}</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {say(`deliveries.state.${one}`)}
            </option>
          ))}
        </select>
        <button type="button" disabled={isFetching} onClick={() => void refreshDeliveries(id)}>
          {say('server.refresh')}
        </button>
      </div>
      {data ? (
        items.length === 0 ? (
          <p class="soft">{say('deliveries.none')}</p>
        ) : (
          <ul class="files">
            {items.map((delivery) => (
              <li class="file" key={delivery.id}>
                <One webhookId={id} delivery={delivery} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <p class="soft">{say('app.loading')}</p>
      )}
      <ShowMore of={list} />
    </div>
  )
}

function One({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const { id, kind, at, state, tries, nextAt, status, reason } = delivery
  const facts = [
    moment(at),
    say('deliveries.tries', { count: tries }),
    ...(state === 'delivered' && status !== null ? [String(status)] : []),
    // The first try comes at once.
    ...(nextAt === null || tries === 0 ? [] : [say('deliveries.next', { time: moment(nextAt) })]),
  ]
  return (
    <>
      <div>
        <strong>
          <code>{kind}</code>
        </strong>
        <p class="soft">{facts.join(' · ')}</p>
        {state !== 'delivered' && reason !== null && <p class="wrong">{reason}</p>}
      </div>
      <span class={state === 'delivered' ? 'badge on' : state === 'parked' ? 'badge bad' : 'badge'}>
        {say(`deliveries.state.${state}`)}
      </span>
      {state === 'parked' && (
        <button
          type="button"
          aria-label={say('deliveries.retry.label', { kind })}
          onClick={() => void tellRefusal(retryDelivery(webhookId, id))}
        >
          {say('app.retry')}
        </button>
      )}
    </>
  )
}
