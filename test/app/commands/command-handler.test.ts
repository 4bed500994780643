import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createCommandHandler, type Author } from '../../../src/app/commands/command-handler.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { claim, claimName } from '../../../src/domain/accounts/claim.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { complete, dismiss, markUnwatched, markWatched, watched } from '../../../src/domain/movies/user-movie.ts'
import type { EncodedEvent, StoredEvent } from '../../../src/events/envelope.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { watchedStream } from '../../../src/events/streams.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { AppendRefused, OutcomeUnknown, type EventLog } from '../../../src/ports/event-log.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { all } from '../../fixtures/event-log-contract.ts'

const mark = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const stream = watchedStream(mark.userId, mark.movieId)
const target = { stream, decider: watched }
const system: Author = { actor: 'system', command: 'test' }
const watch = markWatched(mark, iso(NOON), { now: iso(NOON), resumable: false, movie: {} })
const unwatch = markUnwatched(mark)

let nodes = 0

function makeNode(log: EventLog) {
  const clock = createTestClock()
  const sealer = createSealer(createMemoryVault())
  const series = (nodes++ % 16).toString(16)
  return {
    clock,
    sealer,
    commandHandler: createCommandHandler({ log, clock, ids: createTestIds({ series }), sealer, node: `node-${series}` }),
  }
}

const typesIn = async (log: EventLog): Promise<readonly string[]> => (await all(log.read(stream))).map(({ type }) => type)

t.test('a command appends what it decides, and answers with the state after it and where it stands', async (t) => {
  const log = createMemoryEventLog()
  const { commandHandler } = makeNode(log)
  t.match(await commandHandler.execute(target, watch, system), {
    state: { watchedAt: iso(NOON), playCount: 0 },
    events: [{ type: 'MovieMarkedWatched' }],
    position: toPosition(1),
  })
  t.match(await commandHandler.execute(target, complete(mark, named('evening'), iso(NOON)), system), { position: toPosition(2) })
  t.match(await commandHandler.load(target), { watchedAt: iso(NOON), playCount: 1 })
})

t.test('a command that changes nothing appends nothing, and answers with the stream’s last position', async (t) => {
  const log = createMemoryEventLog()
  const { commandHandler } = makeNode(log)
  t.match(await commandHandler.execute(target, unwatch, system), { events: [], position: START })
  await commandHandler.execute(target, watch, system)
  t.match(await commandHandler.execute(target, watch, system), { events: [], position: toPosition(1) })
  t.strictSame(await typesIn(log), ['MovieMarkedWatched'])
})

t.test('a conflict is decided again on the stream as it is now', async (t) => {
  const log = createMemoryEventLog()
  const [one, two] = [makeNode(log).commandHandler, makeNode(log).commandHandler]
  await two.load(target)
  await one.execute(target, watch, system)
  const done = await two.execute(target, complete(mark, named('evening'), iso(NOON + 5)), system)
  t.match(done, { state: { watchedAt: iso(NOON), playCount: 1 } }, 'it knows of the mark that came in between')
  t.strictSame(await verifyLog(log, { step: () => {}, signal: new AbortController().signal }), {
    notes: { compared: 0, skipped: 0, torn: 0 },
    streams: 1,
    events: 2,
    problems: [],
    faults: [],
    first: null,
  })
})

t.test('what seems to hold already is checked against the log before anybody believes it', async (t) => {
  const log = createMemoryEventLog()
  const [one, two] = [makeNode(log).commandHandler, makeNode(log).commandHandler]
  await two.load(target)
  await one.execute(target, watch, system)
  t.match(await two.execute(target, unwatch, system), { events: [{ type: 'MovieMarkedUnwatched' }], state: { watchedAt: null } })
})

t.test('a refusal is checked against the log, too', async (t) => {
  const log = createMemoryEventLog()
  const [one, two] = [makeNode(log).commandHandler, makeNode(log).commandHandler]
  const name = { stream: 'claim-x', decider: claim }
  const [ann, ben] = [named<'user'>('ann'), named<'user'>('ben')]
  await one.execute(
    name,
    claimName('email', ann, () => false),
    system,
  )
  t.ok(
    isRefusal(
      await two.execute(
        name,
        claimName('email', ben, () => false),
        system,
      ),
    ),
  )
  await one.execute(name, () => [{ type: 'NameReleased', data: { kind: 'email', userId: ann } }], system)
  t.match(
    await two.execute(
      name,
      claimName('email', ben, () => false),
      system,
    ),
    { state: { holder: { userId: ben } } },
  )
})

t.test('of many racing commands one takes effect where only one may, on however many nodes', async (t) => {
  const log = createMemoryEventLog()
  const nodes = [makeNode(log), makeNode(log), makeNode(log)]
  const racers = nodes.flatMap(({ commandHandler }) => Array.from({ length: 10 }, () => commandHandler.execute(target, watch, system)))
  const idempotencyStore = await Promise.all(racers)
  t.equal(idempotencyStore.filter((outcome) => !isRefusal(outcome) && outcome.events.length === 1).length, 1)
  t.strictSame(await typesIn(log), ['MovieMarkedWatched'])
})

t.test('of many racing commands that each append, none is lost', async (t) => {
  const log = createMemoryEventLog()
  const nodes = [makeNode(log), makeNode(log)]
  await Promise.all(
    nodes.flatMap(({ commandHandler }) => Array.from({ length: 12 }, () => commandHandler.execute(target, dismiss(mark), system))),
  )
  t.equal((await typesIn(log)).length, 24)
  t.strictSame((await verifyLog(log, { step: () => {}, signal: new AbortController().signal })).problems, [])
})

/** A log whose appends fail with these errors in turn, and then succeed. */
function troubled(log: EventLog, ...troubles: readonly ('stored, but nobody heard' | 'not stored, and nobody heard')[]) {
  const appends: (readonly EncodedEvent[])[] = []
  const append: EventLog['append'] = async (stream, expected, events) => {
    appends.push(events)
    const trouble = troubles[appends.length - 1]
    if (trouble !== 'not stored, and nobody heard') await log.append(stream, expected, events)
    if (trouble) throw new OutcomeUnknown('The connection is gone')
    return log.append(stream, expected, events)
  }
  return { log: { ...log, append }, appends }
}

t.test('an append whose outcome is unknown is repeated with the same ids, and stands in the log once', async (t) => {
  for (const trouble of ['stored, but nobody heard', 'not stored, and nobody heard'] as const) {
    const inner = createMemoryEventLog()
    const { log, appends } = troubled(inner, trouble, trouble)
    const { clock, commandHandler } = makeNode(log)
    const running = commandHandler.execute(target, watch, system)
    await clock.advance(5000)
    t.match(await running, { events: [{ type: 'MovieMarkedWatched' }], position: toPosition(1) }, trouble)
    t.strictSame(await typesIn(inner), ['MovieMarkedWatched'])
    t.equal(appends.length, 3)
    t.equal(new Set(appends.flat().map(({ id }) => id)).size, 1)
  }
})

t.test('a log that stays silent ends the command, and the next one looks at what was stored', async (t) => {
  const inner = createMemoryEventLog()
  const { log } = troubled(inner, ...Array.from({ length: 4 }, () => 'stored, but nobody heard' as const))
  const { clock, commandHandler } = makeNode(log)
  const running = commandHandler.execute(target, watch, system)
  const ended = t.rejects(running, OutcomeUnknown)
  await clock.advance(60_000)
  await ended
  t.match(await commandHandler.execute(target, watch, system), { events: [], state: { watchedAt: iso(NOON) } })
})

t.test('an append that nobody was there to take is tried again, and what was unknown before stays unknown', async (t) => {
  for (const [first, failure] of [
    [new ServerUnavailable('the log'), ServerUnavailable],
    [new OutcomeUnknown('No answer'), OutcomeUnknown],
  ] as const) {
    const inner = createMemoryEventLog()
    let asked = 0
    let isAway = true
    const append: EventLog['append'] = async (...order) => {
      if (!isAway) return inner.append(...order)
      asked++
      throw asked === 1 ? first : new ServerUnavailable('the log')
    }
    const { clock, commandHandler } = makeNode({ ...inner, append: (...order) => append(...order) })
    const ended = t.rejects(commandHandler.execute(target, watch, system), failure)
    await clock.advance(5_000)
    await ended
    t.equal(asked, 4)
    const running = commandHandler.execute(target, watch, system)
    await clock.advance(200)
    isAway = false
    await clock.advance(5_000)
    t.match(await running, { events: [{ type: 'MovieMarkedWatched' }] })
  }
})

t.test('a log that hangs is asked once: the caller has then waited long enough', async (t) => {
  const inner = createMemoryEventLog()
  let asked = 0
  const append: EventLog['append'] = async () => {
    asked++
    await clock.sleep(10_000)
    throw new OutcomeUnknown('No answer for 10 s')
  }
  const { clock, commandHandler } = makeNode({ ...inner, append: (...ask) => append(...ask) })
  const ended = t.rejects(commandHandler.execute(target, watch, system), OutcomeUnknown)
  await clock.advance(10_000)
  await ended
  t.equal(asked, 1)
})

t.test('an append that the log refuses is no conflict: it is thrown', async (t) => {
  const { commandHandler } = makeNode(createMemoryEventLog())
  const tooMany = Array.from({ length: 1001 }, () => ({ type: 'ResumePointDismissed', data: mark }) as const)
  await t.rejects(
    commandHandler.execute(target, () => tooMany, system),
    AppendRefused,
  )
})

t.test('an event under a derived id is stored once, regardless of who repeats it', async (t) => {
  const log = createMemoryEventLog()
  const [one, two] = [makeNode(log).commandHandler, makeNode(log).commandHandler]
  const author = { ...system, eventId: '00000000-0000-8000-8000-00000000000a', causation: named<'session'>('evening') }
  const decide = complete(mark, named('evening'), iso(NOON))
  await Promise.all([one.execute(target, decide, author), two.execute(target, decide, author)])
  const [event, ...more] = await all(log.read(stream))
  t.match(event, { id: author.eventId, metadata: { causation: author.causation, correlation: author.causation } })
  t.strictSame(more, [])
})

async function metadataOf(
  author: Author,
): Promise<{ readonly metadata: StoredEvent['metadata'] | undefined; readonly sealer: ReturnType<typeof createSealer> }> {
  const log = createMemoryEventLog()
  const { commandHandler, sealer } = makeNode(log)
  await commandHandler.execute(target, watch, author)
  return { metadata: (await all(log.read(stream)))[0]?.metadata, sealer }
}

const origin = { requestId: 'request-7', address: '192.0.2.1', client: 'Player/1.0' }

t.test('the chain holds after two nodes have stored the same event under an id that follows from another', async (t) => {
  const log = createMemoryEventLog()
  const [one, two] = [makeNode(log), makeNode(log)]
  const completed = () => complete(mark, named('evening'), iso(NOON))
  const author = { ...system, eventId: '0b5f3f6e-5d4f-8a00-8000-000000000001' }
  // Both decide on the stream as it is before either has appended.
  await Promise.all([one, two].map(({ commandHandler }) => commandHandler.execute(target, completed(), author)))
  t.strictSame(await typesIn(log), ['MovieCompleted'])
  for (const { commandHandler } of [two, one]) await commandHandler.execute(target, dismiss(mark), system)
  t.strictSame(await typesIn(log), ['MovieCompleted', 'ResumePointDismissed', 'ResumePointDismissed'])
  t.strictSame((await verifyLog(log, { step: () => {}, signal: new AbortController().signal })).problems, [])
})

t.test('the audit says who did what from where, with address and client sealed for their subject', async (t) => {
  const { metadata, sealer } = await metadataOf({ actor: 'user:ann', command: 'markWatched', origin, subject: mark.userId })
  t.match(metadata, { actor: 'user:ann', command: 'markWatched', request: 'request-7', correlation: 'request-7', at: iso(NOON), v: '1' })
  t.equal(await sealer.open(metadata?.['address'] as Sealed), '192.0.2.1')
  t.equal(await sealer.open(metadata?.['client'] as Sealed), 'Player/1.0')
  t.notMatch(JSON.stringify(metadata), /192\.0\.2\.1|Player/)
})

t.test('without a subject neither address nor client is stored, and what is not known is left out', async (t) => {
  const { metadata } = await metadataOf({ actor: 'user:ann', command: 'heartbeat', origin })
  t.notOk(metadata && ('address' in metadata || 'client' in metadata))
  const unknown = await metadataOf({ actor: 'user:ann', command: 'x', origin: { ...origin, address: null }, subject: mark.userId })
  t.notOk(unknown.metadata && 'address' in unknown.metadata)
})

t.test('a precondition is judged on the stream as it is appended to: of two who depend on the same, one is refused', async (t) => {
  const log = createMemoryEventLog()
  const [one, other] = [makeNode(log), makeNode(log)]
  const judged: Position[] = []
  // Both have seen an empty stream. The other one appends during the check of this one.
  const precondition = {
    stream,
    async holds(upTo: Position) {
      if (judged.push(upTo) === 1) await other.commandHandler.execute(target, watch, system)
      return upTo === START
    },
  }
  const origin = { requestId: 'one', address: null, client: null, precondition }
  const refused = await one.commandHandler.execute(target, complete(mark, named('evening'), iso(NOON)), { ...system, origin })
  t.match(refused, { refusal: 'changed' })
  t.strictSame(judged, [START, toPosition(1)], 'once more after the conflict, on what is there by then')
  t.strictSame(await typesIn(log), ['MovieMarkedWatched'])
})

t.test('a precondition that is met says nothing of what the same request does next, and nothing of other streams', async (t) => {
  const log = createMemoryEventLog()
  const { commandHandler } = makeNode(log)
  let judged = 0
  const precondition = { stream, holds: async () => ++judged === 1 }
  const author = { ...system, origin: { requestId: 'one', address: null, client: null, precondition } }
  t.notOk(isRefusal(await commandHandler.execute(target, watch, author)))
  t.notOk(isRefusal(await commandHandler.execute(target, unwatch, author)))
  t.equal(judged, 1)
  const elsewhere = { stream: watchedStream(mark.userId, named<'movie'>('nosferatu')), decider: watched }
  const fresh = { ...author, origin: { ...author.origin, precondition: { stream, holds: async () => false } } }
  t.notOk(isRefusal(await commandHandler.execute(elsewhere, watch, fresh)))
})
