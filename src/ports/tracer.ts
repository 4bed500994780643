/** Tracer: records what a request caused, in this program and in others, as the spans of one trace. */
import type { CarriedContext } from './carried-context.ts'

/** No value that a user has written, no name, no title, no token. */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface Span {
  /** Runs it with this span as the current one, also for what it begins and does not wait for. */
  run<Result>(this: void, work: () => Result): Result
  /** `error`: kind of the failure. */
  end(this: void, result?: { readonly attributes?: SpanAttributes; readonly error?: string }): void
}

export interface PastSpan {
  readonly name: string
  readonly requestId: string
  /** Milliseconds since 1970; it ends now. */
  readonly beganAtMs: number
  readonly attributes: SpanAttributes
}

/** Carries the current span as `traceparent` (W3C Trace Context, section 3.2). */
export interface Tracer extends CarriedContext {
  /** Begins a trace. Its ids derive from the request's id, which events carry: so every reader of an event knows its trace. */
  beginRequest(this: void, requestId: string, name: string, attributes: SpanAttributes): Span
  /** Begins a span below the current one. Work that no request caused is not traced. */
  begin(this: void, name: string, attributes: SpanAttributes): Span
  /** Records something that is over, below the span of a request. */
  record(this: void, past: PastSpan): void
  /** Sends what has ended. Bounded. */
  close(this: void): Promise<void>
}
