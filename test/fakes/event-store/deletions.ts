/** Delete (soft) and Tombstone (permanent). */
import streams, {
  type DeleteReq,
  type DeleteResp,
  type TombstoneReq,
  type TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import { expectedOf } from './proposed.ts'
import { textOf } from './recorded.ts'
import { handlerThrew, streamDeleted, wrongVersion } from './refusals.ts'
import type { Writer } from './writer.ts'

export async function takeDelete(
  writer: Writer,
  call: ServerUnaryCall<DeleteReq, DeleteResp>,
  answer: sendUnaryData<DeleteResp>,
): Promise<void> {
  const position = await remove(writer.hide, call.request.getOptions())
  if (typeof position !== 'string') return answer(position)
  answer(
    null,
    new streams.DeleteResp().setPosition(new streams.DeleteResp.Position().setCommitPosition(position).setPreparePosition(position)),
  )
}

export async function takeTombstone(
  writer: Writer,
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  answer: sendUnaryData<TombstoneResp>,
): Promise<void> {
  const position = await remove(writer.tombstone, call.request.getOptions())
  if (typeof position !== 'string') return answer(position)
  const told = new streams.TombstoneResp.Position().setCommitPosition(position).setPreparePosition(position)
  answer(null, new streams.TombstoneResp().setPosition(told))
}

type Options = DeleteReq.Options | TombstoneReq.Options | undefined

async function remove(doIt: Writer['hide'], options: Options): Promise<string | ReturnType<typeof handlerThrew>> {
  const stream = textOf(options?.getStreamIdentifier()?.getStreamName_asU8())
  if (!options || stream === '') return handlerThrew()
  const expected = expectedOf(options, options.getRevision())
  const written = await doIt(stream, expected)
  if (written.type === 'deleted') return streamDeleted(stream)
  return written.type === 'stored' ? String(written.position) : wrongVersion(stream, expected, written.actual)
}
