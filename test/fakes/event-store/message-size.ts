/** The largest message that the server takes, and its own words when one is larger (those of the gRPC library are others). */
import { MAX_MESSAGE_BYTES } from './refusals.ts'

export const OVERSIZED = Symbol('oversized')
export type Sized<Message> = Message | typeof OVERSIZED

export const sized =
  <Message>(deserialize: (bytes: Buffer) => Message) =>
  (bytes: Buffer): Sized<Message> =>
    bytes.length > MAX_MESSAGE_BYTES ? OVERSIZED : deserialize(bytes)
