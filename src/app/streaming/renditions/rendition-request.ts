/**
 * Requests a segment that is not cached on this node. The request waits at the rendition's actor, on any node and however often the actor
 * moves, for as long as its client waits.
 */
import { TimedOut, abortable, withTimeout } from '../../../concurrency/timeout.ts'
import { ServerUnavailable } from '../../../ports/server.ts'
import { INIT } from '../../../ports/segment-store.ts'
import { keepMatchingCache, keepInit, type NodeState } from './node-state.ts'
import { STOPPING, type Ask, type RenditionActor } from './rendition-actor.ts'
import type { Answer, RemoteBytes, RemoteAnswer } from './remote-rendition.ts'
import { OWNER_CHANGED } from './rendition-ownership.ts'
import { LAST_MARGIN_MS, type Form } from './rendition-protocol.ts'
import { busy } from '../segments/unavailable.ts'

const AWAY = busy('The transcoders cannot be reached', 5)
const TAKES_LONGER = busy('It takes longer than a player waits', 2)
const WHY_NOT = { waiting: TAKES_LONGER, moved: OWNER_CHANGED, nobody: OWNER_CHANGED, noted: OWNER_CHANGED, away: AWAY }
/** Backoff between attempts while the rendition moves from one node to another: doubles each time. */
const FIRST_PAUSE_MS = 20
const LAST_PAUSE_MS = 200
/** The owner already has the init segment of the segments that it has made. */
const INIT_WITHIN_MS = 1_000

interface Search {
  readonly node: NodeState
  /** Identifies the request at the owner. */
  readonly name: string
  /** INIT for the init segment. */
  readonly segment: number
  readonly ask: Ask
  /** Aborts with the client, or with the node. */
  readonly signal: AbortSignal
  readonly untilMs: number
}

/** If the actor runs here, it is asked at once. @throws the signal's reason when the client has disconnected */
export async function search(node: NodeState, segment: number, ask: Ask): Promise<Answer> {
  const actor = node.ownership.actor()
  const untilMs = node.clock.monotonic() + (ask.withinMs ?? node.answerWithinMs)
  const answer = actor ? await askActor(actor, segment, ask) : OWNER_CHANGED
  if (answer !== OWNER_CHANGED) return answer
  const signal = AbortSignal.any([ask.signal, node.closing])
  const found: Search = { node, name: node.remoteRenditions.name(), segment, ask, signal, untilMs }
  const forget = (): void => void reportGone(found)
  ask.signal.addEventListener('abort', forget, { once: true })
  try {
    return await goOn(found)
  } catch (cause) {
    if (cause instanceof ServerUnavailable) return AWAY
    if (node.closing.aborted && !ask.signal.aborted) return STOPPING
    throw cause
  } finally {
    ask.signal.removeEventListener('abort', forget)
  }
}

const askActor = (actor: RenditionActor, segment: number, ask: Ask): Promise<Answer> =>
  segment === INIT ? actor.init(ask) : actor.segment(segment, ask)

async function goOn(found: Search): Promise<Answer> {
  const { clock } = found.node
  let last = OWNER_CHANGED
  let pauseMs = FIRST_PAUSE_MS
  for (let leftMs = found.untilMs - clock.monotonic(); leftMs > 0; leftMs = found.untilMs - clock.monotonic()) {
    const reply = await attempt(found, leftMs).catch(unlessAway)
    if (reply.type === 'answer') return reply.answer
    if (reply.type === 'bytes') return keep(found, reply)
    last = WHY_NOT[reply.type]
    if (reply.type === 'waiting') continue
    await clock.sleep(Math.min(pauseMs, leftMs), found.signal)
    pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)
  }
  return last
}

/**
 * Keep waiting during an outage of the bus: it may be back before the client times out, and many players skip a segment that is refused.
 */
function unlessAway(cause: unknown): { readonly type: 'away' } {
  if (cause instanceof ServerUnavailable) return { type: 'away' }
  throw cause
}

async function attempt(found: Search, withinMs: number): Promise<RemoteAnswer> {
  const { node, name, segment, ask, signal } = found
  const actor = node.ownership.actor()
  if (actor) {
    const answer = await askActor(actor, segment, { ...ask, withinMs })
    return answer === OWNER_CHANGED ? { type: 'moved' } : { type: 'answer', answer }
  }
  const { viewer, still } = ask
  const request = { type: 'get', ask: name, viewer, segment, withinMs, ...(still ? { still } : {}) } as const
  const reply = await node.remoteRenditions.ask(node.renditionId, request, signal)
  if (reply.type !== 'nobody') return reply
  // An owner that does not answer may be dead: its lease then expires soon.
  return (await takenInTime(found)) ? { type: 'waiting' } : reply
}

/** A later result serves the next request. */
async function takenInTime({ node: { clock, ownership }, signal, untilMs }: Search): Promise<boolean> {
  const ms = untilMs + LAST_MARGIN_MS - clock.monotonic()
  try {
    return (await withTimeout(abortable(ownership.acquire(), signal), { clock, ms, message: 'The lease is not known yet' })) !== undefined
  } catch (cause) {
    if (cause instanceof TimedOut) return false
    throw cause
  }
}

async function keep(found: Search, { bytes, codec, form }: RemoteBytes): Promise<Uint8Array> {
  const { node, segment } = found
  // If the rendition has moved here meanwhile, its actor takes care of the cache.
  if (node.ownership.actor()) return bytes
  if (segment === INIT) {
    if (codec !== null) keepInit(node, { bytes, codec })
  } else if ((await keepMatchingCache(node, form)) || (await fetchesInit(found, form))) node.renditionCache.put(segment, bytes)
  return bytes
}

/** Whether the init segment of that form is cached here now. If it is unavailable, its segments are still served. */
async function fetchesInit({ node, name, ask: { viewer }, signal }: Search, form: Form): Promise<boolean> {
  const question = { type: 'get', ask: `${name}-init`, viewer, segment: INIT, withinMs: INIT_WITHIN_MS } as const
  const reply = await node.remoteRenditions.ask(node.renditionId, question, signal).catch(() => undefined)
  if (reply?.type !== 'bytes' || reply.form !== form || reply.codec === null || node.ownership.actor()) return false
  keepInit(node, { bytes: reply.bytes, codec: reply.codec })
  return true
}

/** The client has disconnected: the owner can drop its wait. */
async function reportGone({ node, name, segment, ask: { viewer, still } }: Search): Promise<void> {
  if (node.ownership.actor()) return
  const { viewers, remoteRenditions, renditionId, closing } = node
  if (!still && (viewers.position(viewer) === segment || segment === INIT)) viewers.left(viewer)
  // If the message is lost, the wait there times out.
  await remoteRenditions.ask(renditionId, { type: 'gone', ask: name }, closing).catch(() => undefined)
}
