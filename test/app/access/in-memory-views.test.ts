import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createInMemoryView, feedInMemoryViews, type Feedable } from '../../../src/app/access/in-memory-views.ts'
import type { UnfoldableEvent } from '../../../projections/views/unfoldable-events.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { StoredDocument } from '../../../src/ports/read-store.ts'
import { logins } from '../../../projections/views/logins.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createStory } from '../../fixtures/story.ts'

const view = logins as unknown as AnyView
const collection = collectionOf(logins)
const userId = named<'user'>('ann')
const expiresAt = iso(NOON + 604_800_000)
const signedIn = (word: string): Happened => ({
  type: 'SignedIn',
  data: { loginId: named(word), userId, tokenHash: `hash of ${word}`, expiresAt, rememberMe: true },
})
const signedOut = (word: string): Happened => ({ type: 'SignedOut', data: { loginId: named(word), userId } })
const stored = (word: string, at: Position): StoredDocument => ({
  id: named(word),
  at,
  body: { id: named(word), userId, tokenHash: `hash of ${word}`, rememberMe: true, createdAt: iso(NOON), updatedAt: iso(NOON), expiresAt },
})

async function setUp() {
  const log = createMemoryEventLog()
  const store = createMemoryReadStore()
  await store.open([specOf(view)])
  const changes: string[] = []
  const live = createInMemoryView(logins, (before, after) => changes.push(`${before?.tokenHash ?? '-'} > ${after?.tokenHash ?? '-'}`))
  let checkpoint = START
  /** The documents that a projector has stored. */
  async function project(to: Position, puts: readonly StoredDocument[], removed: readonly string[] = []): Promise<void> {
    const removes = removed.map((word) => ({ id: named(word), at: to }))
    await store.commit({ collection, epoch: 1, from: checkpoint, to, puts, removes })
    checkpoint = to
  }
  const names = (): readonly string[] => [...live.documents.values()].map(({ tokenHash }) => tokenHash)
  return { log, store, live, changes, project, names, tell: createStory(log) }
}

/** Feeds the view; `until` settles when it has reached the position. */
function feed(deps: {
  readonly log: EventLog
  readonly store: Parameters<Feedable['load']>[0]
  readonly live: Feedable
  readonly unfoldable?: UnfoldableEvent
}) {
  const stopping = new AbortController()
  const waiting = new Map<Position, () => void>()
  let come = START
  const passed = (position: Position): void => {
    come = position
    for (const [wanted, wake] of waiting) if (wanted <= position) wake()
  }
  const running = feedInMemoryViews({
    log: deps.log,
    store: deps.store,
    views: [deps.live],
    passed,
    unfoldable: deps.unfoldable ?? (() => {}),
    signal: stopping.signal,
  })
  return {
    until: (position: Position): Promise<void> =>
      new Promise((resolve) => {
        waiting.set(position, resolve)
        if (come >= position) resolve()
      }),
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

t.test('a live view is loaded from the store and kept by the log', async (t) => {
  const setting = await setUp()
  await setting.tell([signedIn('one'), signedIn('two')])
  await setting.project(toPosition(1), [stored('one', toPosition(1))])
  const feeding = feed(setting)
  await feeding.until(toPosition(2))
  t.strictSame(setting.names(), ['hash of one', 'hash of two'])
  await feeding.until(await setting.tell([signedOut('one')]))
  t.strictSame(setting.names(), ['hash of two'])
  t.strictSame(setting.changes, ['- > hash of one', '- > hash of two', 'hash of one > -'])
  await feeding.stop()
})

t.test('events that a stored document holds already are not folded again', async (t) => {
  const setting = await setUp()
  await setting.tell([signedIn('one'), { type: 'LoginExtended', data: { loginId: named('one'), userId, expiresAt: iso(NOON + 1) } }])
  await setting.project(START, [{ ...stored('one', toPosition(2)) }])
  const feeding = feed(setting)
  await feeding.until(toPosition(2))
  t.equal(setting.live.documents.get(named('one'))?.expiresAt, expiresAt)
  await feeding.stop()
})

t.test('more documents than one page are loaded', async (t) => {
  const setting = await setUp()
  await setting.project(
    toPosition(1),
    Array.from({ length: 2100 }, (_, n) => stored(`login${n}x`, toPosition(1))),
  )
  const feeding = feed(setting)
  await feeding.until(toPosition(1))
  t.equal(setting.live.documents.size, 2100)
  await feeding.stop()
})

t.test('a login that ended while the feed was broken does not hold when it goes on', async (t) => {
  const setting = await setUp()
  await setting.tell([signedIn('one')])
  const first = feed(setting)
  await first.until(toPosition(1))
  await first.stop()
  await setting.tell([signedOut('one')])
  await setting.project(toPosition(1), [stored('one', toPosition(1))])
  await setting.project(toPosition(2), [], ['one'])
  const second = feed(setting)
  await second.until(toPosition(2))
  t.strictSame(setting.names(), [])
  await second.stop()
})

t.test('a login that ended does not hold for a moment again when the feed goes on and the store is behind', async (t) => {
  const setting = await setUp()
  await setting.tell([signedIn('one')])
  await setting.project(toPosition(1), [stored('one', toPosition(1))])
  const first = feed(setting)
  await first.until(await setting.tell([signedOut('one')]))
  await first.stop()
  setting.changes.length = 0
  const second = feed(setting)
  await second.until(await setting.tell([signedIn('two')]))
  t.strictSame(setting.changes, ['- > hash of two'])
  await second.stop()
})

t.test('a first load that broke off half-way leaves nothing behind', async (t) => {
  const setting = await setUp()
  await setting.tell([signedIn('one'), signedOut('one')])
  await setting.project(toPosition(1), [stored('one', toPosition(1))])
  let page = 0
  const breaking = {
    ...setting.store,
    find: async (...[name, query]: Parameters<typeof setting.store.find>) => {
      if (page++ > 0) throw new Error('The store is gone')
      return { ...(await setting.store.find(name, query)), next: { value: null, id: named('one') } }
    },
  }
  await t.rejects(feed({ ...setting, store: breaking }).stop(), /gone/)
  await setting.project(toPosition(2), [], ['one'])
  const second = feed(setting)
  await second.until(toPosition(2))
  t.strictSame(setting.names(), [])
  await second.stop()
})

t.test('an event that a live view cannot fold is reported, and what comes after it counts', async (t) => {
  const { log, store, live, names, tell } = await setUp()
  const broken = { ...live, apply: (event: RecordedEvent) => (event.position === toPosition(2) ? raise() : live.apply(event)) }
  const unfolded: Position[] = []
  const fed = feed({ log, store, live: broken, unfoldable: (_view, { position }) => unfolded.push(position) })
  await tell([signedIn('one'), signedIn('two'), signedIn('three')])
  await fed.until(toPosition(3))
  t.strictSame(names(), ['hash of one', 'hash of three'])
  t.strictSame(unfolded, [toPosition(2)])
  await fed.stop()
})

function raise(): never {
  throw new TypeError('No such member')
}
