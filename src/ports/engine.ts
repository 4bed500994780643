/** Engine: a server outside this process that ports work on, as far as its being there is concerned. */
export interface Engine {
  /** As people know it, for example `MongoDB`. */
  readonly name: string
  /** Asks it for an answer. @throws EngineAway it gives none within a second or two */
  check(): Promise<void>
}

/** The engine could not be reached, or did not answer in time. What was to be done may be tried again. */
export class EngineAway extends Error {
  readonly code = 'engine-away'
  readonly engine: string
  constructor(engine: string, options?: ErrorOptions) {
    super(`No answer from ${engine}`, options)
    this.name = 'EngineAway'
    this.engine = engine
  }
}
