/**
 * A recorded event: the input of deciders and views, lifted to today's version. Personal fields stay sealed.
 */
import type { EventOf, EventType } from './catalogue.ts'
import type { Metadata } from './envelope.ts'
import type { Position } from './position.ts'

export interface Record {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: Position
  /** RFC 3339 UTC with milliseconds. */
  readonly at: string
  readonly metadata: Metadata
}

export type RecordedEvent<Type extends EventType = EventType> = { [T in Type]: EventOf<T> & Record }[Type]
