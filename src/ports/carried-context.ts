/** Carried context: what goes with requests between programs beside their messages, such as the current span of a trace. */
export interface CarriedContext {
  /** Its value here; undefined: there is none. */
  current(this: void): string | undefined
  /** Runs it with the value of another program. A text in another form counts as none. */
  within<Result>(this: void, value: string, work: () => Result): Result
}
