/**
 * Answers other nodes' requests for renditions that this node owns. The requests wait at its actors like those of its own viewers. A reply
 * larger than one message is kept for a while and fetched in parts.
 */
import { omitUndefined } from '../../../vocabulary/omit-undefined.ts'
import { TimedOut, withTimeout } from '../../../concurrency/timeout.ts'
import { MAX_BODY_BYTES, type Bus, type Message, type Subscription } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import { INIT } from '../../../ports/segment-store.ts'
import { formOf } from '../segments/init-record.ts'
import { createChunkedTransfers, type ChunkedTransfers } from './chunked-transfers.ts'
import type { Answer } from './remote-rendition.ts'
import type { ActorOptions } from '../runs/actor-state.ts'
import type { RenditionActor } from './rendition-actor.ts'
import {
  isPartRequest,
  isRenditionRequest,
  partsSubject,
  POLL_MS,
  renditionSubject,
  type PartReply,
  type RenditionReply,
  type RenditionRequest,
} from './rendition-protocol.ts'
import { busy, isUnavailable } from '../segments/unavailable.ts'

export interface RenditionResponder {
  /** Answers other nodes for an actor on this node, until closed. */
  open(owned: Owned): { close(): void }
  close(): void
}

export interface Owned extends Pick<ActorOptions, 'renditionId' | 'rendition'> {
  readonly actor: RenditionActor
}

export interface RenditionResponderOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly node: string
}

/** A request of another node, which polls for its result. */
interface Wait {
  readonly answer: Promise<Answer>
  readonly stop: AbortController
}

interface State extends RenditionResponderOptions {
  readonly waits: Map<string, Wait>
  readonly transfers: ChunkedTransfers
  /** Set when the first actor starts. */
  parts: Subscription | undefined
}

const MAX_WAITS = 1_000
/** The nodes run different versions for a while. */
const STRANGE = busy('The server is being updated', 5)
const CROWDED = busy('Too many wait for this film', 2)
const NO_TRANSFER = 'none'
/** Retry in a moment: at the new owner, or here once there is room for more transfers. */
const MOVED_REPLY: Message = { head: { type: 'moved' } satisfies RenditionReply }

export function createRenditionResponder(options: RenditionResponderOptions): RenditionResponder {
  const state: State = { ...options, waits: new Map(), transfers: createChunkedTransfers(options.clock), parts: undefined }
  return {
    open(owned) {
      let isOpen = true
      state.parts ??= options.bus.respond(partsSubject(options.node), async (message) => part(state, message))
      const subscription = options.bus.respond(renditionSubject(owned.renditionId), async ({ head }) => {
        if (!isRenditionRequest(head)) return reply({ type: 'unavailable', ...STRANGE })
        const answered = await answer(state, owned, head)
        // The answer of an actor that is closing is meant for its own node's clients.
        return isOpen || answered.head['type'] === 'bytes' ? answered : MOVED_REPLY
      })
      return {
        close() {
          isOpen = false
          subscription.close()
        },
      }
    },
    close() {
      state.parts?.close()
      state.transfers.clear()
    },
  }
}

async function answer(state: State, owned: Owned, request: RenditionRequest): Promise<Message> {
  if (request.type === 'get') return get(state, owned, request)
  if (request.type === 'seen') owned.actor.prewarm(request.segment, request.viewer)
  else state.waits.get(request.ask)?.stop.abort(new Error('The client has gone'))
  return reply({ type: 'noted', form: formAt(owned) })
}

type Get = Extract<RenditionRequest, { readonly type: 'get' }>

async function get(state: State, owned: Owned, request: Get): Promise<Message> {
  const wait = state.waits.get(request.ask) ?? begin(state, owned, request)
  if (!wait) return reply({ type: 'unavailable', ...CROWDED })
  try {
    const answered = await withTimeout(wait.answer, { clock: state.clock, ms: POLL_MS, message: 'Not yet' })
    if (answered === undefined) return reply({ type: 'nothing' })
    // Segments of an earlier process may be known before their init segment is.
    await owned.actor.recalledInit()
    return isUnavailable(answered) ? reply({ type: 'unavailable', ...answered }) : replyWithBytes(state, owned, answered)
  } catch (cause) {
    // Nobody reads the reply for a client that has disconnected.
    if (cause instanceof TimedOut || wait.stop.signal.aborted) return reply({ type: 'waiting' })
    throw cause
  }
}

function begin(state: State, { actor }: Owned, { ask, viewer, segment, withinMs, still }: Get): Wait | undefined {
  if (state.waits.size >= MAX_WAITS) return undefined
  const stop = new AbortController()
  const asked = { viewer, signal: stop.signal, withinMs, ...omitUndefined({ still }) }
  const answered: Promise<Answer> = segment === INIT ? actor.init(asked) : actor.segment(segment, asked)
  const wait = { answer: answered.finally(() => state.waits.delete(ask)), stop }
  // Avoids an unhandled rejection between two polls.
  wait.answer.catch(() => undefined)
  state.waits.set(ask, wait)
  return wait
}

function replyWithBytes(state: State, owned: Owned, bytes: Uint8Array): Message {
  const isWhole = bytes.byteLength <= MAX_BODY_BYTES
  const transfer = isWhole ? NO_TRANSFER : state.transfers.open(bytes)
  if (transfer === undefined) return MOVED_REPLY
  const head: RenditionReply = {
    type: 'bytes',
    sizeBytes: bytes.byteLength,
    node: state.node,
    transfer,
    codec: owned.actor.knownInit()?.codec ?? null,
    form: formAt(owned),
  }
  return { head, body: bytes.subarray(0, MAX_BODY_BYTES) }
}

function part({ transfers }: State, { head }: Message): Message {
  const body = isPartRequest(head) ? transfers.pull(head.transfer, head.part) : undefined
  const reply: PartReply = { type: body ? 'part' : 'lost' }
  return { head: reply, ...(body && { body }) }
}

const formAt = ({ actor, rendition }: Owned) => formOf(rendition, actor.knownInit())

const reply = (head: RenditionReply): Message => ({ head })
