/** The server's maximum message size, and its error for larger messages (which differs from that of the gRPC library). */
import { MAX_MESSAGE_BYTES } from './refusals.ts'

export const OVERSIZED = Symbol('oversized')
export type Sized<Message> = Message | typeof OVERSIZED

export const sized =
  <Message>(deserialize: (bytes: Buffer) => Message) =>
  (bytes: Buffer): Sized<Message> =>
    bytes.length > MAX_MESSAGE_BYTES ? OVERSIZED : deserialize(bytes)
