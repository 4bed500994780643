/** Webhooks: other programs that receive events. */
import { useQuery } from '@tanstack/preact-query'
import { Plus, Webhook as Hook } from 'lucide'
import { useState } from 'preact/hooks'
import { webhooksQuery } from '../../data/webhooks.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { WebhookCard } from '../../parts/webhook-card.tsx'
import { AddWebhook } from '../../parts/webhook-form.tsx'
import { say } from '../../words/words.ts'
import '../../words/en-webhooks.ts'

export function Page() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [adds, setAdds] = useState(false)
  const [secret, setSecret] = useState<string>()
  const add = (
    <button type="button" class="primary" data-focus="add webhook" onClick={() => setAdds(true)}>
      <Icon of={Plus} size={18} />
      {say('webhooks.add')}
    </button>
  )
  return (
    <>
      <AdminHead title={say('page.webhooks')}>{add}</AdminHead>
      {data ? (
        data.items.length === 0 ? (
          <Empty title={say('webhooks.none')} icon={Hook}>
            <p>{say('webhooks.hint')}</p>
          </Empty>
        ) : (
          <div class="libraries">
            {data.items.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} />
            ))}
          </div>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
      {adds && <AddWebhook onSecret={setSecret} onClose={() => setAdds(false)} />}
      {secret !== undefined && !adds && (
        <ShownOnce
          title={say('webhooks.secret.title')}
          label={say('webhooks.secret')}
          secret={secret}
          hint={say('webhooks.secret.once')}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
