/** Webhooks of a whole node: what they get of films and players, who may read what of them, and which node delivers. */
import t, { type Test } from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import type { WebhookRequest, WebhookSender } from '../../../src/ports/webhook-sender.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'

const CANARY = `whsec_${Buffer.from('the canary of this test, 32 bytes').toString('base64')}`
const NEW = { url: 'https://hooks.example.org/token-in-the-url', events: ['*'], template: 'json' } as const

function recorder() {
  const sent: WebhookRequest[] = []
  const webhookSender: WebhookSender = {
    fault: (url) => (url.startsWith('https:') ? undefined : 'is no https URL'),
    async send(request) {
      sent.push(request)
      return { type: 'answered', status: 204, pauseMs: undefined }
    },
  }
  const bodies = () => sent.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
  return { sent, webhookSender, bodies, ids: () => sent.map(({ headers }) => headers['webhook-id']) }
}

async function open(t: Test, more: { readonly cluster?: Cluster; readonly node?: string } = {}) {
  const recorded = recorder()
  const fixture = await openNodeFixture(t, { ...more, webhookSender: recorded.webhookSender })
  return { fixture, ...recorded }
}

/** Lets the deliveries of everything that has happened take place. */
async function delivered({ seen, clock }: NodeFixture): Promise<void> {
  await seen()
  for (let n = 0; n < 20; n++) await clock.advance(100)
}

/** Nodes hear of each other's events as time passes. */
async function meanwhile<Value>({ clock }: Cluster, promise: Promise<Value>): Promise<Value> {
  const ended = promise.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([ended, clock.advance(100).then(() => false)])));
  return promise
}

async function watching(fixture: NodeFixture) {
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const ann = await fixture.person()
  const { session } = allowed(await fixture.playback.start(ann.caller, { movieId }, ORIGIN))
  return { ann, movieId, session }
}

t.test('a webhook gets films, scans and players in the form of the live events, and nothing personal', async (t) => {
  const { fixture, sent, bodies } = await open(t)
  const admin = await fixture.person({ role: 'admin' })
  allowed(await fixture.webhooks.add(admin.caller, NEW, ORIGIN))
  const { ann, movieId, session } = await watching(fixture)
  const ask = { order: { command: 'message', message: 'Dinner is ready' }, origin: ORIGIN } as const
  allowed(await fixture.playback.command(admin.caller, session.id, ask))
  await fixture.movieMarks.markWatched(ann.caller, movieId, undefined, ORIGIN)
  await delivered(fixture)
  const kinds = new Set(bodies().map(({ type }) => type))
  for (const kind of ['library.created', 'scan.completed', 'movie.added', 'playback.started', 'playback.command', 'history.added'])
    t.ok(kinds.has(kind), kind)
  for (const kind of ['movie.watched', 'resume.changed', 'access.changed', 'preferences.changed']) t.notOk(kinds.has(kind), kind)
  t.match(
    bodies().find(({ type }) => type === 'movie.added'),
    { data: { seq: /^\d+$/, movieId, libraryId: /^.{21}$/ } },
  )
  t.match(bodies().find(({ type }) => type === 'scan.completed')?.data, { scan: { state: 'completed', counts: {} } })
  t.match(bodies().find(({ type }) => type === 'playback.command')?.data, { sessionId: session.id, message: null })
  const all = JSON.stringify(sent)
  t.notMatch(all, /Dinner/, 'a message to a person stays here')
  t.notMatch(all, /sealed:|@example\.org|Somebody"/)
  t.strictSame(fixture.problems, [])
})

t.test('a webhook that an administrator disables gets nothing until it is enabled again, and then only what happens since', async (t) => {
  const { fixture, bodies } = await open(t)
  const { caller } = await fixture.person({ role: 'admin' })
  const { id } = allowed(await fixture.webhooks.add(caller, { ...NEW, events: ['library.created'] }, ORIGIN))
  const happen = async (path: string) => {
    await fixture.newLibrary(path)
    await delivered(fixture)
    return bodies().length
  }
  t.equal(await happen('/films'), 1)
  t.match(await fixture.webhooks.change(caller, id, { enabled: false }, ORIGIN), { id, enabled: false })
  t.match(await fixture.webhooks.get(id), { enabled: false })
  t.equal(await happen('/series'), 1)
  t.match(await fixture.webhooks.change(caller, id, { enabled: true }, ORIGIN), { id, enabled: true })
  t.equal(await happen('/kids'), 2)
})

t.test('a template names the film', async (t) => {
  const { fixture, sent } = await open(t)
  const admin = await fixture.person({ role: 'admin' })
  allowed(await fixture.webhooks.add(admin.caller, { ...NEW, events: ['movie.added', 'playback.started'], template: 'ntfy' }, ORIGIN))
  await watching(fixture)
  await delivered(fixture)
  t.strictSame(
    sent.map(({ body }) => body),
    ['Metropolis (1927) was added', 'Somebody started Metropolis (1927)'],
  )
})

t.test('the secret is given once: it is in no event, no audit entry, no read model and no later answer', async (t) => {
  const { fixture, sent } = await open(t)
  const { caller } = await fixture.person({ role: 'admin' })
  const { id, secret } = allowed(await fixture.webhooks.add(caller, { ...NEW, secret: CANARY }, ORIGIN))
  t.equal(secret, CANARY)
  const other = `whsec_${Buffer.from('another canary for the change, ok').toString('base64')}`
  t.match(await fixture.webhooks.change(caller, id, { secret: other, events: ['user.*'] }, ORIGIN), { id, events: ['user.*'] })
  await fixture.person()
  await delivered(fixture)
  t.ok(sent.length > 0)
  const audit = (await fixture.auditLog.list({ targetId: id }, 'asc', { limit: 10 })).items
  const places = {
    events: await fixture.events(),
    audit,
    rows: await fixture.readModels.audit.find({ where: [], limit: 1000 }),
    list: await fixture.webhooks.list(),
    one: await fixture.webhooks.get(id),
    deliveries: await fixture.webhooks.deliveries(id, undefined, { limit: 100 }),
    view: (await fixture.cluster.store.find('webhooks_g2', { limit: 10 })).documents,
    requests: sent,
  }
  for (const [name, place] of Object.entries(places)) {
    for (const canary of [CANARY, other]) t.notOk(JSON.stringify(place).includes(canary.slice('whsec_'.length)), name)
  }
  for (const place of [places.events, audit, places.rows, places.view]) t.notMatch(JSON.stringify(place), /token-in-the-url/)
  t.match(audit, [
    { type: 'WebhookAdded', target: { kind: 'webhook', id }, actor: { id: caller.userId } },
    {
      type: 'WebhookChanged',
      target: { kind: 'webhook', id },
      changes: [
        { path: 'events', from: ['*'], to: ['user.*'] },
        { path: 'secretVersion', from: 1, to: 2 },
      ],
    },
  ])
  t.match(audit[0]?.changes, [
    { path: 'origin', to: 'https://hooks.example.org' },
    { path: 'events', to: ['*'] },
    { path: 'template', to: 'json' },
    { path: 'enabled', to: true },
  ])
})

t.test('what is no webhook is refused, and so is one too many', async (t) => {
  const { fixture } = await open(t)
  const { caller } = await fixture.person({ role: 'admin' })
  t.match(await fixture.webhooks.add(caller, { ...NEW, url: 'http://example.org' }, ORIGIN), { refusal: 'invalid', path: 'url' })
  for (const secret of ['secret', 'whsec_c2hvcnQ=', 'whsec_!!!', `whsec_${'A'.repeat(200)}`])
    t.match(await fixture.webhooks.add(caller, { ...NEW, secret }, ORIGIN), { refusal: 'invalid', path: 'secret' }, secret)
  for (let n = 0; n < 32; n++) allowed(await fixture.webhooks.add(caller, NEW, ORIGIN))
  t.match(await fixture.webhooks.add(caller, NEW, ORIGIN), { refusal: 'conflict' })
  const [first] = await fixture.webhooks.list()
  t.match(await fixture.webhooks.change(caller, first?.id ?? '', { url: 'ftp://x' }, ORIGIN), { refusal: 'invalid', path: 'url' })
  t.match(await fixture.webhooks.change(caller, 'nothing', { enabled: true }, ORIGIN), { refusal: 'not-found' })
  t.match(await fixture.webhooks.retry(caller, { id: first?.id ?? '', deliveryId: 'nothing' }, ORIGIN), { refusal: 'not-found' })
})

t.test('a repeated request with an idempotency key adds one webhook, and returns its secret', async (t) => {
  const { fixture } = await open(t)
  const { caller } = await fixture.person({ role: 'admin' })
  const origin = { ...ORIGIN, seed: 'the same for both' }
  const first = allowed(await fixture.webhooks.add(caller, NEW, origin))
  const second = allowed(await fixture.webhooks.add(caller, NEW, origin))
  t.strictSame(second, first)
  t.equal((await fixture.webhooks.list()).length, 1)
})

t.test('after a restart nothing is sent twice, and after the loss of the read models with the same ids', async (t) => {
  const cluster = createCluster()
  const one = await open(t, { cluster })
  const { caller } = await one.fixture.person({ role: 'admin' })
  allowed(await one.fixture.webhooks.add(caller, { ...NEW, events: ['user.created'] }, ORIGIN))
  for (let n = 0; n < 3; n++) await one.fixture.person()
  await delivered(one.fixture)
  t.equal(one.sent.length, 3)
  await one.fixture.stop()

  const two = await open(t, { cluster, node: 'two' })
  await cluster.clock.advance(3_000)
  await two.fixture.person()
  await delivered(two.fixture)
  t.equal(two.sent.length, 1)
  await two.fixture.stop()

  const three = await open(t, { cluster: { ...cluster, store: createMemoryReadStore() }, node: 'three' })
  await cluster.clock.advance(3_000)
  await delivered(three.fixture)
  t.strictSame(new Set(three.ids()), new Set([...one.ids(), ...two.ids()]))
  t.equal(three.sent.length, 4)
  await three.fixture.stop()

  await cluster.clock.advance(4 * 86_400_000)
  const rebuilt = { ...cluster, store: createMemoryReadStore() }
  const four = await open(t, { cluster: rebuilt, node: 'four' })
  await cluster.clock.advance(3_000)
  await delivered(four.fixture)
  t.strictSame(four.sent, [], 'older events than three days are not sent again')
  await four.fixture.stop()

  const five = await open(t, { cluster: rebuilt, node: 'five' })
  await cluster.clock.advance(3_000)
  await delivered(five.fixture)
  t.strictSame(five.sent, [], 'nor after another restart')
})

t.test('of two nodes one delivers, and the other when that one ends', async (t) => {
  const cluster = createCluster()
  const servers = [{ name: 'MongoDB', check: async () => {} }]
  const first = recorder()
  const second = recorder()
  const one = await openNodeFixture(t, { cluster, node: 'one', servers, webhookSender: first.webhookSender })
  const two = await openNodeFixture(t, { cluster, node: 'two', servers, webhookSender: second.webhookSender })
  const { caller } = await meanwhile(cluster, one.person({ role: 'admin' }))
  allowed(await meanwhile(cluster, one.webhooks.add(caller, { ...NEW, events: ['user.created'] }, ORIGIN)))
  await meanwhile(cluster, one.person())
  await meanwhile(cluster, delivered(one))
  t.strictSame([first.sent.length, second.sent.length], [1, 0])
  await one.stop()
  await cluster.clock.advance(5_000)
  await meanwhile(cluster, two.person())
  await meanwhile(cluster, delivered(two))
  t.strictSame([first.sent.length, second.sent.length], [1, 1])
})
