/** BatchAppend: many appends over one call, each in one or more messages with a correlation id, answered in any order. */
import status, { type Status } from '@eventstore/db-client/generated/status_pb.js'
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import { status as codes, type ServerDuplexStream } from '@grpc/grpc-js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { carryOut, type AppendDeps, type Outcome } from './carrying-out.ts'
import type { Expected } from './commit-check.ts'
import { OVERSIZED, type Sized } from './message-size.ts'
import { eventOf, expectedOf } from './proposed.ts'
import { revisionText, textOf, type NewEvent } from './recorded.ts'
import { MAX_APPEND_BYTES, tooLarge } from './refusals.ts'

export type BatchAppendCall = ServerDuplexStream<Sized<BatchAppendReq>, BatchAppendResp>

interface Batch {
  readonly id: UUID | undefined
  stream: string
  expected: Expected
  deadlineMs: number
  dataBytes: number
  isBad: boolean
  readonly events: NewEvent[]
}

export function takeBatchAppend(deps: AppendDeps, call: BatchAppendCall): void {
  const batches = new Map<string, Batch>()

  /** Back-pressure: reads no further requests while replies are not consumed. */
  function tell(batch: Batch, answer: BatchAppendResp): void {
    if (call.cancelled || call.writableEnded) return
    const id = new shared.StreamIdentifier().setStreamName(Buffer.from(batch.stream))
    const hasRoom = call.write(answer.setCorrelationId(batch.id).setStreamIdentifier(id))
    if (!hasRoom && !call.isPaused()) call.pause().once('drain', () => call.resume())
  }

  function take(message: Sized<BatchAppendReq>): void {
    if (message === OVERSIZED) return void call.emit('error', tooLarge())
    const key = message.getCorrelationId()?.getString() ?? ''
    const batch = batches.get(key) ?? emptyBatch(message.getCorrelationId())
    batches.set(key, batch)
    gather(batch, message)
    if (!message.getIsFinal()) return
    batches.delete(key)
    const refusal = refusalOf(batch)
    if (refusal) return tell(batch, new streams.BatchAppendResp().setError(refusal))
    carryOut(deps, call.getPeer(), batch, (written) => tell(batch, answerOf(written, batch.expected)))
  }

  call.on('data', take).on('end', () => call.end())
}

const emptyBatch = (id: UUID | undefined): Batch => ({
  id,
  stream: '',
  expected: 'any',
  deadlineMs: Infinity,
  dataBytes: 0,
  isBad: false,
  events: [],
})

function gather(batch: Batch, message: BatchAppendReq): void {
  const options = message.getOptions()
  if (options) {
    batch.stream = textOf(options.getStreamIdentifier()?.getStreamName_asU8())
    batch.expected = expectedOf(options, options.getStreamPosition())
    batch.deadlineMs = options.getDeadline()?.toDate().getTime() ?? Infinity
  }
  for (const proposed of message.getProposedMessagesList()) {
    const event = eventOf(proposed)
    batch.dataBytes += proposed.getData_asU8().length
    if ('refused' in event) batch.isBad = true
    else if (batch.dataBytes <= MAX_APPEND_BYTES) batch.events.push(event)
  }
}

/** The deadline is a time of day, checked by this clock when the append's turn comes. */
function refusalOf({ stream, isBad, dataBytes, deadlineMs }: Batch): Status | undefined {
  if (stream === '' || isBad) return problem(codes.INVALID_ARGUMENT, 'BadRequest', new shared.BadRequest())
  if (dataBytes > MAX_APPEND_BYTES) {
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES)
    return problem(codes.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details)
  }
  return deadlineMs < Date.now() ? problem(codes.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout()) : undefined
}

function answerOf(written: Outcome, expected: Expected): BatchAppendResp {
  const answer = new streams.BatchAppendResp()
  if (written.type === 'aborted') return answer.setError(problem(codes.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout()))
  if (written.type === 'deleted') return answer.setError(problem(codes.FAILED_PRECONDITION, 'StreamDeleted', new shared.StreamDeleted()))
  if (written.type === 'wrong-version') {
    const details = wrongVersion(expected, written.actual)
    return answer.setError(problem(codes.FAILED_PRECONDITION, 'WrongExpectedVersion', details))
  }
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(revisionText(written.revision))
  if (written.position === undefined) success.setNoPosition(new empty.Empty())
  else success.setPosition(positionOf(written.position))
  return answer.setSuccess(success)
}

const positionOf = (position: number) =>
  new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position))

function wrongVersion(expected: Expected, actual: number | undefined) {
  const wrong = new shared.WrongExpectedVersion()
  if (actual === undefined) wrong.setCurrentNoStream(new empty.Empty())
  else wrong.setCurrentStreamRevision(String(actual))
  if (expected === 'any') return wrong.setExpectedAny(new empty.Empty())
  if (expected === 'no-stream') return wrong.setExpectedNoStream(new empty.Empty())
  return expected === 'stream-exists' ? wrong.setExpectedStreamExists(new empty.Empty()) : wrong.setExpectedStreamPosition(String(expected))
}

/** @param name of the message with details, by which the client recognizes the error */
function problem(code: number, name: string, details: { serializeBinary(): Uint8Array }): Status {
  const packed = new any.Any()
  packed.pack(details.serializeBinary(), `event_store.client.${name}`)
  return new status.Status().setCode(code).setMessage(name).setDetails(packed)
}
