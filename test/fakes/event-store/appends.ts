/** The plain Append: options, then one message per event, and one reply at the end. */
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js'
import { carryOut, type AppendDeps } from './carrying-out.ts'
import type { Expected } from './commit-check.ts'
import { OVERSIZED, type Sized } from './message-size.ts'
import { eventOf, expectedOf } from './proposed.ts'
import { revisionText, textOf, type NewEvent } from './recorded.ts'
import { appendTooLarge, commitTimeout, handlerThrew, MAX_APPEND_BYTES, streamDeleted, tooLarge } from './refusals.ts'
import type { Written } from './writer.ts'

type AppendCall = ServerReadableStream<Sized<AppendReq>, AppendResp>

export function takeAppend(deps: AppendDeps, call: AppendCall, answer: sendUnaryData<AppendResp>): void {
  let [stream, expected, dataBytes]: [string, Expected, number] = ['', 'any', 0]
  const events: NewEvent[] = []

  /** After a refusal, further messages are read and dropped. */
  function refuse(refused: ReturnType<typeof handlerThrew>): void {
    call.off('data', take).off('end', finish).resume()
    answer(refused)
  }

  function take(message: Sized<AppendReq>): void {
    if (message === OVERSIZED) return refuse(tooLarge())
    const [options, proposed] = [message.getOptions(), message.getProposedMessage()]
    if (options) [stream, expected] = [nameOf(options), expectedOf(options, options.getRevision())]
    if (!proposed) return
    const event = eventOf(proposed)
    if ('refused' in event) return refuse(event.refused)
    dataBytes += event.data.length
    if (dataBytes > MAX_APPEND_BYTES) return refuse(appendTooLarge())
    events.push(event)
  }

  /** One turn later: a cancellation that came together with the request is known by then, and such a request is not run. */
  const finish = () => void setImmediate(() => call.cancelled || act())

  function act(): void {
    if (stream === '') return refuse(handlerThrew())
    carryOut(deps, call.getPeer(), { stream, expected, events }, (written) => {
      if (written.type === 'aborted') answer(commitTimeout())
      else if (written.type === 'deleted') answer(streamDeleted(stream))
      else answer(null, answerOf(written, expected))
    })
  }

  call.on('data', take).on('end', finish)
}

const nameOf = (options: AppendReq.Options): string => textOf(options.getStreamIdentifier()?.getStreamName_asU8())

function answerOf(written: Exclude<Written, { type: 'deleted' }>, expected: Expected): AppendResp {
  if (written.type === 'wrong-version') return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(expected, written.actual))
  const success = new streams.AppendResp.Success().setCurrentRevision(revisionText(written.revision))
  if (written.position === undefined) success.setNoPosition(new shared.Empty())
  else
    success.setPosition(
      new streams.AppendResp.Position().setCommitPosition(String(written.position)).setPreparePosition(String(written.position)),
    )
  return new streams.AppendResp().setSuccess(success)
}

function wrongVersion(expected: Expected, actual: number | undefined): AppendResp.WrongExpectedVersion {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (actual === undefined) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(actual))
  if (expected === 'any') return wrong.setExpectedAny(new shared.Empty())
  if (expected === 'no-stream') return wrong.setExpectedNoStream(new shared.Empty())
  return expected === 'stream-exists' ? wrong.setExpectedStreamExists(new shared.Empty()) : wrong.setExpectedRevision(String(expected))
}
