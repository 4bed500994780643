/** Requests segments from the owner of a rendition on another node, and reassembles large replies. */
import { mapConcurrently } from '../../../concurrency/semaphore.ts'
import { createSingleFlight, type SingleFlight } from '../../../concurrency/single-flight.ts'
import { MAX_BODY_BYTES, NoResponder, ReplyTimeout, type Bus } from '../../../ports/bus.ts'
import { WINDOW_RECORDS } from '../agents/agent-protocol.ts'
import {
  isRenditionReply,
  LAST_MARGIN_MS,
  partsSubject,
  POLL_MS,
  renditionSubject,
  type Form,
  type PartRequest,
  type RenditionReply,
  type RenditionRequest,
} from './rendition-protocol.ts'
import type { Unavailable } from '../segments/unavailable.ts'

/** Undefined if the film has no such segment. */
export type Answer = Uint8Array | Unavailable | undefined

export interface RemoteBytes {
  readonly type: 'bytes'
  readonly bytes: Uint8Array
  readonly codec: string | null
  readonly form: Form
}

export type RemoteAnswer =
  | RemoteBytes
  | { readonly type: 'answer'; readonly answer: Answer }
  /** Retry at once. */
  | { readonly type: 'waiting' }
  /** Retry in a moment: the rendition has moved, or a part was lost. */
  | { readonly type: 'moved' }
  | { readonly type: 'noted'; readonly form: Form }
  /** There is no owner, or it does not answer. */
  | { readonly type: 'nobody' }

export interface RemoteRenditions {
  /** A name for a request that may be sent several times. */
  name(): string
  /** @throws ServerUnavailable; the signal's reason */
  ask(id: string, request: RenditionRequest, signal: AbortSignal): Promise<RemoteAnswer>
  close(): void
}

export interface RemoteRenditionsOptions {
  readonly bus: Bus
  readonly node: string
}

interface State extends RemoteRenditionsOptions {
  /** If several viewers here request the same segment, its parts are transferred once. */
  readonly pulls: SingleFlight<Uint8Array | undefined>
  names: number
}

const MARGIN_MS = 1_000
const PART_MS = 2_000

export function createRemoteRenditions(options: RemoteRenditionsOptions): RemoteRenditions {
  const state: State = { ...options, pulls: createSingleFlight(), names: 0 }
  return {
    name: () => `${options.node}-${state.names++}`,
    ask: (id, request, signal) => ask(state, { id, request, signal }),
    close: () => state.pulls.close(),
  }
}

interface Asked {
  readonly id: string
  readonly request: RenditionRequest
  readonly signal: AbortSignal
}

async function ask(state: State, { id, request, signal }: Asked): Promise<RemoteAnswer> {
  try {
    const timeoutMs = request.type === 'get' ? Math.min(POLL_MS + MARGIN_MS, request.withinMs + LAST_MARGIN_MS) : MARGIN_MS
    const { head, body } = await state.bus.request(renditionSubject(id), { head: request }, { timeoutMs, signal })
    if (!isRenditionReply(head)) return { type: 'nobody' }
    if (head.type === 'unavailable') {
      const { unavailable, missing, retryAfterSeconds } = head
      return { type: 'answer', answer: { unavailable, missing, retryAfterSeconds } }
    }
    if (head.type === 'nothing') return { type: 'answer', answer: undefined }
    if (head.type !== 'bytes') return head
    const bytes = await whole(state, { id, request, signal }, { head, first: body ?? new Uint8Array() })
    return bytes ? { type: 'bytes', bytes, codec: head.codec, form: head.form } : { type: 'moved' }
  } catch (cause) {
    if (cause instanceof NoResponder || cause instanceof ReplyTimeout) return { type: 'nobody' }
    throw cause
  }
}

type Bytes = Extract<RenditionReply, { readonly type: 'bytes' }>

interface Begun {
  readonly head: Bytes
  readonly first: Uint8Array
}

/** Undefined if a part was lost. */
async function whole(state: State, { id, request, signal }: Asked, { head, first }: Begun): Promise<Uint8Array | undefined> {
  if (first.byteLength !== Math.min(head.sizeBytes, MAX_BODY_BYTES)) return undefined
  if (first.byteLength === head.sizeBytes || request.type !== 'get') return first
  // Successive owners may have segments of different encoders, and the remaining parts of one may never come: so the key names the owner
  // too.
  const key = `${id}/${request.segment}/${head.node}/${head.form}`
  return state.pulls.join(key, (unwanted) => pull(state, { head, first, signal: unwanted }), signal)
}

async function pull(state: State, { head, first, signal }: Begun & { readonly signal: AbortSignal }): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(head.sizeBytes)
  bytes.set(first)
  const others = Array.from({ length: Math.ceil(head.sizeBytes / MAX_BODY_BYTES) - 1 }, (_, index) => index + 1)
  try {
    await mapConcurrently(others, WINDOW_RECORDS, (part) => pullPart(state, { head, part, bytes, signal }))
    return bytes
  } catch (cause) {
    if (cause instanceof NoResponder || cause instanceof ReplyTimeout) return undefined
    throw cause
  }
}

interface PulledPart {
  readonly head: Bytes
  readonly part: number
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

/** @throws ReplyTimeout also if the owner does not have it any more */
async function pullPart({ bus }: State, { head, part, bytes, signal }: PulledPart): Promise<void> {
  const subject = partsSubject(head.node)
  const request: PartRequest = { type: 'part', transfer: head.transfer, part }
  const { body } = await bus.request(subject, { head: request }, { timeoutMs: PART_MS, signal })
  const from = part * MAX_BODY_BYTES
  if (body?.byteLength !== Math.min(MAX_BODY_BYTES, bytes.byteLength - from)) throw new ReplyTimeout(subject)
  bytes.set(body, from)
}
