/**
 * Meters: counts for operators. No label may come from a request's values, a title, a name or a token: each has
 * a few values that the program knows.
 */
export interface Meters {
  /** `route`: its pattern, such as `/v1/movies/:movieId`; never the path that was asked for. */
  request(
    this: void,
    answered: { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number },
  ): void
  append(this: void, outcome: 'stored' | 'conflict' | 'failed', seconds: number): void
  busRequest(this: void, outcome: 'answered' | 'no-responder' | 'timeout' | 'unavailable' | 'aborted'): void
  lease(this: void, outcome: 'taken' | 'held' | 'unavailable'): void
  /** Leases held by this process: one more, or one less. */
  leasesHeld(this: void, change: 1 | -1): void
  segment(this: void, from: 'memory' | 'disk' | 'missed', bytes: number): void
  transcodeBegan(this: void, method: 'copy' | 'encode', encoder: string): void
  transcodeEnded(this: void, end: string): void
  /** A job that the agent in this process runs; `transcodeBegan` counts the same job in the process that needs its segments. */
  agentJob(this: void, method: 'copy' | 'encode', encoder: string): void
  /** Events that projectors in this process have read from the log. */
  eventsRead(this: void, count: number): void
  /** A try to deliver an event to a webhook. `parked`: the last one failed. */
  webhook(this: void, outcome: 'delivered' | 'failed' | 'parked'): void
}

/** What is read whenever somebody asks for the metrics. */
export interface Gauges {
  /** Of each view the events (positions, on a server) that it has not seen yet. */
  readonly lag: () => Promise<ReadonlyMap<string, number>>
  /** Playback sessions by their method. */
  readonly sessions: () => ReadonlyMap<string, number>
  /** Whether each server answers, by its common name. */
  readonly servers: () => Promise<ReadonlyMap<string, boolean>>
  readonly isReady: () => Promise<boolean>
  /** CPU seconds of ffmpeg and ffprobe by their work: they never fall. Empty if the system does not report them. */
  readonly ffmpegCpu: () => ReadonlyMap<string, number>
  /** Weighted slots of the agent in this process. */
  readonly slots: () => { readonly all: number; readonly used: number }
  readonly backup: () => { readonly lastSuccessAt: number | null; readonly lastFailure: string | null }
}

export interface Metrics {
  readonly meters: Meters
  /** From then on these are read, too; each at most once. */
  readonly watch: (gauges: Partial<Gauges>) => void
  /** In the text format of Prometheus. */
  readonly text: () => Promise<{ readonly type: string; readonly body: string }>
}
