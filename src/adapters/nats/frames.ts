/**
 * Encodes a bus message as one NATS payload: its kind (1: head only, 2: head and body), the length of the head in bytes (uint32), the head
 * as JSON, the body. The kind also serves as the version: programs skip kinds that they do not know.
 */
import { MAX_BODY_BYTES, type Message } from '../../ports/bus.ts'

const HEAD_ONLY = 1
const HEAD_AND_BODY = 2
const PRELUDE_BYTES = 5

/** Most bytes of a head beside the largest body: with the prelude both stay below a NATS server's default limit (1 MiB). */
export const MAX_HEAD_BYTES = 256 * 1024

/** @throws RangeError too large: a programming error */
export function encodeFrame({ head, body }: Message): Uint8Array {
  const json = JSON.stringify(head)
  const headBytes = Buffer.byteLength(json)
  const bodyBytes = body?.byteLength ?? 0
  if (bodyBytes > MAX_BODY_BYTES) throw new RangeError(`A body of ${bodyBytes} bytes, ${MAX_BODY_BYTES} are allowed`)
  // The head may use the room that the body leaves: the job of a long film lists thousands of segments.
  const mostBytes = MAX_HEAD_BYTES + MAX_BODY_BYTES - bodyBytes
  if (headBytes > mostBytes) throw new RangeError(`A head of ${headBytes} bytes, ${mostBytes} are allowed`)
  const frame = Buffer.allocUnsafe(PRELUDE_BYTES + headBytes + bodyBytes)
  frame.writeUInt8(body ? HEAD_AND_BODY : HEAD_ONLY, 0)
  frame.writeUInt32BE(headBytes, 1)
  frame.write(json, PRELUDE_BYTES)
  if (body) frame.set(body, PRELUDE_BYTES + headBytes)
  return frame
}

/** The body is a view of the payload. @throws SyntaxError not a frame */
export function decodeFrame(payload: Uint8Array): Message {
  const frame = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  const kind = frame[0]
  const bodyAt = frame.length < PRELUDE_BYTES ? Infinity : PRELUDE_BYTES + frame.readUInt32BE(1)
  if ((kind !== HEAD_ONLY && kind !== HEAD_AND_BODY) || bodyAt > frame.length) throw new SyntaxError('Not a message of this bus')
  const head = JSON.parse(frame.toString('utf8', PRELUDE_BYTES, bodyAt)) as Message['head']
  return kind === HEAD_AND_BODY ? { head, body: frame.subarray(bodyAt) } : { head }
}
