/** Implements `webhook list`, `add` and `remove`. */
import { faultOfPatterns } from '../domain/webhooks/webhook-kinds.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { columns } from '../process/columns.ts'
import { asks, sendJson } from './api-request.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, report, type Call, type Command } from './command.ts'

const PATH = '/v1/admin/webhooks'
const TEMPLATES = ['json', 'ntfy', 'discord', 'slack', 'home-assistant'] as const

export const webhookCommands: readonly Command[] = [
  { words: 'webhook list', usage: '', summary: 'lists the webhooks', takes: [0, 0], run: listWebhooks },
  {
    words: 'webhook add',
    usage: `<url> [--events movie.added,scan.*] [--template ${TEMPLATES.join('|')}]`,
    summary: 'sends events to a URL from now on, and prints the secret that signs them this once; by default all events, as JSON',
    takes: [1, 1],
    options: ['events', 'template'],
    choices: { options: { template: TEMPLATES } },
    run: addWebhook,
  },
  {
    words: 'webhook remove',
    usage: '<url or id>',
    summary: 'removes a webhook, and what it has not sent yet',
    takes: [1, 1],
    run: removeWebhook,
  },
]

/** As the description of the API has it. */
interface Webhook {
  readonly id: string
  readonly url: string | null
  readonly events: readonly string[]
  readonly template: string
  readonly enabled: boolean
}

async function webhooksOf(call: Call): Promise<readonly Webhook[] | undefined> {
  const page = (await sendJson(call, asks('GET', PATH))) as { readonly items: readonly Webhook[] } | undefined
  return page?.items
}

async function listWebhooks(call: Call): Promise<number> {
  const webhooks = await webhooksOf(call)
  if (!webhooks) return NOT_DONE
  const rows = webhooks.map(({ id, url, events, template, enabled }) => [
    id,
    url ?? '-',
    events.join(','),
    template,
    enabled ? '' : 'disabled',
  ])
  printData(call, { webhooks }, () =>
    rows.length > 0 ? columns([['ID', 'URL', 'EVENTS', 'TEMPLATE', ''], ...rows]) : ['There is no webhook.'],
  )
  return DONE
}

async function addWebhook(call: Call): Promise<number> {
  const { rest, options } = call
  const { events = '*', template } = options
  const fault = faultOfPatterns(events.split(','))
  if (fault) {
    call.terminal.complain(`Each of --events ${fault.message}.`)
    return NOT_UNDERSTOOD
  }
  const body = omitUndefined({ url: rest[0], events: events.split(','), template })
  const made = (await sendJson(call, asks('POST', PATH, body))) as (Webhook & { readonly secret: string }) | undefined
  if (!made) return NOT_DONE
  printData(call, made, () => [
    made.secret,
    `It signs each delivery. Keep it: it is not shown again. Remove the webhook by: webhook remove ${made.id}`,
  ])
  return DONE
}

async function removeWebhook(call: Call): Promise<number> {
  const [named = ''] = call.rest
  const webhooks = await webhooksOf(call)
  if (!webhooks) return NOT_DONE
  const [webhook, other] = webhooks.filter(({ id, url }) => id === named || url === named)
  if (!webhook || other) {
    call.terminal.complain(webhook ? `Several webhooks send to ${named}: name one by its id` : `There is no webhook ${named}`)
    return NOT_DONE
  }
  const removed = await sendJson(call, asks('DELETE', `${PATH}/${webhook.id}`))
  if (!removed) return NOT_DONE
  return report(call, null, `The webhook ${named} is removed.`, removed)
}
