/** Timeout for an await that cannot be cancelled: a disk or a server that does not answer must not block its caller. */

interface Bound {
  /** The part of the clock port used here. */
  readonly clock: { after(ms: number, callback: () => void): () => void }
  readonly ms: number
  readonly message: string
}

/** The timeout has passed. */
export class TimedOut extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TimedOut'
  }
}

/** The promise's outcome. @throws TimedOut with the message, once the timeout has passed */
export async function withTimeout<T>(promise: Promise<T>, { clock, ms, message }: Bound): Promise<T> {
  const late = Promise.withResolvers<never>()
  const disarm = clock.after(ms, () => late.reject(new TimedOut(message)))
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    disarm()
  }
}

/** The promise's outcome, or the signal's reason as soon as it is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody awaits its later outcome: an unhandled rejection would end the process.
    promise.catch(() => {})
    throw signal.reason
  }
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
