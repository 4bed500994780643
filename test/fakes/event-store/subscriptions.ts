/**
 * Runs subscriptions: confirmation, existing events after the start position, `caughtUp`, then live events. Each one keeps only its
 * position, so a slow reader costs the server no memory.
 */
import { randomUUID } from 'node:crypto'
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { happens, type Faults } from './faults.ts'
import { filterOf, type Filter } from './filters.ts'
import { isOver, send } from './paced.ts'
import { positionOf, type Answer, type ReadCall } from './reads.ts'
import { textOf, type Recorded } from './recorded.ts'
import { handlerThrew, streamDeleted, tooSlow } from './refusals.ts'
import { firstAtOrAbove, isReadable, visible, type Store } from './store.ts'

/** The subscribed source: `$all` by positions, a stream by revisions. */
interface Source {
  readonly key: 'position' | 'revision'
  readonly events: () => readonly Recorded[]
  /** Position of the last event before the first delivered one; -1 for none. */
  readonly after: number
  readonly filter?: Filter | undefined
}

/** Events sent before it looks for new ones. */
const BATCH = 256

export async function answerSubscription(call: ReadCall, deps: { store: Store; faults: Faults }, options: ReadReq.Options): Promise<void> {
  const source = sourceOf(deps, options)
  if ('refused' in source) return void call.emit('error', source.refused)
  if (await send(call, confirmation())) await deliver(call, deps, source)
  if (!isOver(call)) call.end()
}

async function deliver(call: ReadCall, { store, faults }: { store: Store; faults: Faults }, source: Source): Promise<void> {
  let [after, looked, isLive] = [source.after, 0, false]
  while (!isOver(call)) {
    const batch = eventsAfter(source, after)
    if (batch.length > 0 && happens(faults, 'too-slow')) return void call.emit('error', tooSlow())
    for (const event of batch) {
      const passes = source.filter?.passes(event) ?? true
      if (passes && !(await send<ReadReq, Answer>(call, event.wire))) return
      looked += 1
      after = event[source.key]
      if (source.filter && looked % source.filter.checkpointEvery === 0) await send(call, checkpoint(after))
    }
    if (batch.length > 0) continue
    if (!isLive) await send(call, caughtUp())
    isLive = true
    if (eventsAfter(source, after).length === 0) await committedOrOver(store, call)
  }
}

function eventsAfter({ events, key }: Source, after: number): readonly Recorded[] {
  const all = events()
  const from = firstAtOrAbove(all, after + 1, key)
  return all.slice(from, from + BATCH)
}

/** Waits without a timeout: the end of the call is the bound. */
function committedOrOver(store: Store, call: ReadCall): Promise<void> {
  return new Promise((settle) => {
    const done = () => {
      stop()
      for (const event of ['cancelled', 'close', 'error']) call.off(event, done)
      settle()
    }
    const stop = store.onCommit(done)
    for (const event of ['cancelled', 'close', 'error']) call.on(event, done)
    if (isOver(call)) done()
  })
}

function sourceOf(deps: { store: Store; faults: Faults }, options: ReadReq.Options): Source | { refused: ReturnType<typeof handlerThrew> } {
  const [all, stream] = [options.getAll(), options.getStream()]
  if (all) return allSource(deps, options, all)
  return stream ? streamSource(deps.store, stream) : { refused: handlerThrew() }
}

function allSource({ store, faults }: { store: Store; faults: Faults }, options: ReadReq.Options, all: ReadReq.Options.AllOptions) {
  const asked = positionOf(all)
  const last = store.all().at(-1)?.position ?? -1
  if (asked !== Infinity && !isReadable(store.all(), asked)) return { refused: handlerThrew() }
  const source = { key: 'position', events: store.all, filter: filterOf(options.getFilter()) } as const
  // A start beyond the end goes live at once.
  if (asked > last) return { ...source, after: last }
  return { ...source, after: all.hasStart() ? -1 : faults['resume-loses-one'] ? firstFrom(store, asked) : asked }
}

/** Fault: treats "exclusive" as starting with the first event at or after the position. */
const firstFrom = (store: Store, position: number): number =>
  store.all()[firstAtOrAbove(store.all(), position, 'position')]?.position ?? position

function streamSource(store: Store, options: ReadReq.Options.StreamOptions) {
  const name = textOf(options.getStreamIdentifier()?.getStreamName_asU8())
  const { tombstoned, lastRevision } = store.stream(name)
  if (name === '') return { refused: handlerThrew() }
  if (tombstoned) return { refused: streamDeleted(name) }
  const after = options.hasEnd() ? lastRevision : options.hasRevision() ? Number(options.getRevision()) : -1
  return { key: 'revision', events: () => visible(store.stream(name), Date.now()), after } as const
}

const confirmation = (): Answer =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()))

const caughtUp = (): Answer => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())

const checkpoint = (position: number): Answer =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)),
  )
