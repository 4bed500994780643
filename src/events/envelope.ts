/**
 * Envelope of an event: the form in which every engine stores and returns it, whatever the event means.
 */
import type { Position } from './position.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/**
 * Audit metadata, flat strings. `v` version of the type; `at` RFC 3339 UTC; `actor` `user:<id>`, `agent:<id>`, `system` or `cli`; `command`
 * name of the command; `correlation`, `causation` ids; `request` HTTP request id; `client` and `address` sealed; `node` name of the
 * appending node; `prev` and `hash` the hash chain of the stream.
 */
export type Metadata = { readonly v: string; readonly at: string; readonly actor: string; readonly hash: string; readonly prev: string } & {
  readonly [name: string]: string
}

/** An event ready to be appended. `id` is a UUID: repeating an append with the same ids stores nothing twice. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: Metadata
}

/** An event as the log returns it. `revision` counts from 0 in its stream. */
export interface StoredEvent extends EncodedEvent {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}
