/** English: webhooks and their deliveries. */
import { counted as count } from './counted.ts'
import { addEnglish } from './words.ts'

interface Reason {
  readonly reason: string
}

export const webhooksEn = {
  'webhooks.add': 'Add a webhook',
  'webhooks.none': 'No webhooks yet',
  'webhooks.hint': 'A webhook posts what happens here to another program: a phone, a chat, a smart home.',
  'webhooks.url': 'Address',
  'webhooks.url.hint': 'Addresses in your own network have to be allowed by MARQUEE_WEBHOOK_ALLOW.',
  'webhooks.gone': 'Its address has been destroyed',
  'webhooks.template': 'Format',
  'webhooks.template.json': 'JSON',
  'webhooks.template.ntfy': 'ntfy',
  'webhooks.template.discord': 'Discord',
  'webhooks.template.slack': 'Slack',
  'webhooks.template.home-assistant': 'Home Assistant',
  'webhooks.events': 'Events',
  'webhooks.kind.movie.added': 'Films that are added',
  'webhooks.kind.movie.missing': 'Films that go missing',
  'webhooks.kind.scan.failed': 'Scans that fail',
  'webhooks.kind.library.*': 'Everything about libraries',
  'webhooks.kind.playback.started': 'Somebody starts a film',
  'webhooks.kind.playback.ended': 'Somebody ends a film',
  'webhooks.kind.user.*': 'Everything about accounts',
  'webhooks.others': 'Other kinds',
  'webhooks.others.hint': 'Such as scan.completed, or * for all of them. Commas divide them.',
  'webhooks.secret': 'Secret',
  'webhooks.secret.own': 'Secret of your own (optional)',
  'webhooks.secret.other': 'Another secret (optional)',
  'webhooks.secret.hint': 'whsec_ and the base64 of 24 to 64 bytes',
  'webhooks.secret.title': 'Keep this secret',
  'webhooks.secret.once': 'The receiver verifies signatures with it. It is never shown again.',
  'webhooks.on': 'On',
  'webhooks.off': 'Off',
  'webhooks.off.gone': 'Off: its receiver said that it is gone',
  'webhooks.turn-on': 'Turn on',
  'webhooks.turn-off': 'Turn off',
  'webhooks.change': 'Change…',
  'webhooks.test': 'Test',
  'webhooks.test.done': ({ status }: { readonly status: string }) => `The test was delivered (${status})`,
  'webhooks.test.failed': ({ reason }: Reason) => `The test was not delivered: the receiver ${reason}`,
  'webhooks.remove': 'Remove…',
  'webhooks.remove.title': 'Remove this webhook?',
  'webhooks.remove.hint': 'What waits for it is removed with it.',
  'deliveries.title': 'Deliveries',
  'deliveries.state': 'State',
  'deliveries.all': 'All',
  'deliveries.state.pending': 'Waiting',
  'deliveries.state.delivered': 'Delivered',
  'deliveries.state.parked': 'Given up',
  'deliveries.none': 'There are none.',
  'deliveries.tries': ({ count: n }: { readonly count: number }) => count(n, 'try', 'tries'),
  'deliveries.next': ({ time }: { readonly time: string }) => `again ${time}`,
  'deliveries.retry.label': ({ kind }: { readonly kind: string }) => `Try ${kind} again`,
} as const

addEnglish(webhooksEn)
