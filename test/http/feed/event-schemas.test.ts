import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { decode } from '../../../src/events/codec.ts'
import { liveEventsOf } from '../../../src/domain/feed/live-events.ts'
import { WEBHOOK_KINDS } from '../../../src/domain/webhooks/webhook-kinds.ts'
import { goldenEvents } from '../../fixtures/golden-events.ts'
import { idOf } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

interface Description {
  readonly paths: { readonly '/api/events': { readonly get: { readonly 'x-event-schemas': Readonly<Record<string, { $ref: string }>> } } }
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const server = await startServer(t)
const description = (await server.ask('GET', '/v1/openapi.json')).json<Description>()
const described = description.paths['/api/events'].get['x-event-schemas']

t.test('the description says of every kind of event which component its data is', async (t) => {
  for (const [kind, { $ref }] of Object.entries(described)) {
    t.ok(description.components.schemas[$ref.replace('#/components/schemas/', '')], `${kind}: ${$ref}`)
  }
  for (const kind of ['hello', 'reset', 'access.changed', 'trickplay.ready', 'server.stopping', 'movie.removed'])
    t.ok(described[kind], kind)
})

t.test('a webhook may name every kind of event, unless it is about one person or is not in the log', async (t) => {
  const others = ['access.changed', 'hello', 'movie.unwatched', 'movie.watched', 'preferences.changed', 'projection.rebuilding']
  others.push('projection.rebuilt', 'reset', 'resume.changed', 'server.stopping', 'watchlist.changed')
  t.strictSame([...WEBHOOK_KINDS, ...others].toSorted(), Object.keys(described).toSorted())
})

t.test('the live events of every event that was ever stored match their description', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'description', ...description })
  const kinds = new Set<string>()
  for (const stored of goldenEvents) {
    const event = decode(stored)
    for (const { kind, payload, audience, scanId } of event ? liveEventsOf(event) : []) {
      kinds.add(kind)
      // Their movie's library and the scan itself are looked up when they are sent.
      if (scanId !== undefined) continue
      const added = audience.to === 'movie' ? { libraryId: idOf('library') } : {}
      const { $ref } = described[kind] ?? { $ref: `nothing for ${kind}` }
      const fits = ajv.validate({ $ref: `description${$ref}` }, { seq: '1', at: event?.at, ...payload, ...added })
      t.ok(fits, `${kind} of ${stored.type}: ${ajv.errorsText()}`)
    }
  }
  for (const kind of kinds) t.ok(described[kind], kind)
  t.ok(kinds.size > 20)
})
