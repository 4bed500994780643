/**
 * Reads one stream or `$all`, forwards or backwards, up to the end. A forward read includes the start position, a backward read of `$all`
 * excludes it.
 */
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { StatusObject } from '@grpc/grpc-js'
import { send, type Call } from './paced.ts'
import { textOf, type Recorded } from './recorded.ts'
import { handlerThrew, readAllFailed, streamDeleted } from './refusals.ts'
import { exists, firstAtOrAbove, isReadable, visible, type Store } from './store.ts'

/** An event as stored in the log, or a generated message. */
export type Answer = Buffer | streams.ReadResp
export type ReadCall = Call<ReadReq, Answer>

type Found = { readonly events: Iterable<Recorded> } | { readonly refused: StatusObject } | { readonly missing: string }

export async function answerRead(call: ReadCall, store: Store, options: ReadReq.Options): Promise<void> {
  const count = Number(options.getCount())
  const found = count === 0 ? { refused: handlerThrew() } : find(store, options)
  if ('refused' in found) return void call.emit('error', found.refused)
  if ('missing' in found) await send(call, notFound(found.missing))
  else await sendEvents(call, found.events, count)
  call.end()
}

async function sendEvents(call: ReadCall, events: Iterable<Recorded>, count: number): Promise<void> {
  let left = count
  for (const { wire } of events) {
    if (left === 0 || !(await send(call, wire))) return
    left -= 1
  }
}

function find(store: Store, options: ReadReq.Options): Found {
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  const [all, stream] = [options.getAll(), options.getStream()]
  if (all) return findInAll(store, all, backwards)
  return stream ? findInStream(store, stream, backwards) : { refused: handlerThrew() }
}

function findInAll(store: Store, options: ReadReq.Options.AllOptions, backwards: boolean): Found {
  const events = store.all()
  const position = positionOf(options)
  if (position !== Infinity && !isReadable(events, position)) return { refused: readAllFailed() }
  const from = firstAtOrAbove(events, position, 'position')
  return { events: backwards ? downFrom(events, from - 1) : upFrom(events, from) }
}

function findInStream(store: Store, options: ReadReq.Options.StreamOptions, backwards: boolean): Found {
  const name = textOf(options.getStreamIdentifier()?.getStreamName_asU8())
  const stream = store.stream(name)
  if (name === '') return { refused: handlerThrew() }
  if (stream.tombstoned) return { refused: streamDeleted(name) }
  if (!exists(stream)) return { missing: name }
  const events = visible(stream, Date.now())
  const revision = options.hasEnd() ? Infinity : options.hasRevision() ? Number(options.getRevision()) : 0
  const from = firstAtOrAbove(events, revision, 'revision')
  return { events: backwards ? downFrom(events, events[from]?.revision === revision ? from : from - 1) : upFrom(events, from) }
}

/** Infinity for the end. */
export function positionOf(options: ReadReq.Options.AllOptions): number {
  return options.hasEnd() ? Infinity : Number(options.getPosition()?.getCommitPosition() ?? 0)
}

/** Includes events that are appended meanwhile. */
function* upFrom(events: readonly Recorded[], from: number): Generator<Recorded> {
  for (let index = from; index < events.length; index += 1) {
    const event = events[index]
    if (event) yield event
  }
}

function* downFrom(events: readonly Recorded[], from: number): Generator<Recorded> {
  for (let index = from; index >= 0; index -= 1) {
    const event = events[index]
    if (event) yield event
  }
}

const notFound = (stream: string): streams.ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream))),
  )
