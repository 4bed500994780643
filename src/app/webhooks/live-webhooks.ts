/** The webhooks in memory on every API node, kept up to date from the log. */
import { webhooks, type WebhookDocument } from '../../../projections/views/webhooks.ts'
import { createInMemoryView, type Feedable } from '../access/in-memory-views.ts'

export interface LiveWebhooks {
  readonly documents: ReadonlyMap<string, WebhookDocument>
  /** Settles at the next change of any webhook. */
  whenChanged(this: void): Promise<void>
  readonly feed: Feedable
}

export function createLiveWebhooks(): LiveWebhooks {
  let next = Promise.withResolvers<void>()
  const view = createInMemoryView(webhooks, () => {
    const { resolve } = next
    next = Promise.withResolvers<void>()
    resolve()
  })
  return { documents: view.documents, whenChanged: () => next.promise, feed: view }
}
