/**
 * Checks whether films can be fetched from the server before the agent accepts work on one. It checks until a film was fetched once, and
 * again after each failure. So an agent that cannot reach its server leaves the work to others, and its log says why.
 */
import { withTimeout } from '../src/concurrency/timeout.ts'
import { createTrouble } from '../src/app/tasks/trouble.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Report } from '../src/ports/report.ts'
import { MediaLost, type RemoteMedia, type Upstream } from './media-upstream.ts'

export interface UpstreamCheck {
  /** Undefined if the film can be fetched, as far as is known; else why not, for a person. Answers within two seconds. */
  whyNot(mediaFile: RemoteMedia): Promise<string | undefined>
  /** The film could not be read to its end. */
  failed(cause: unknown): void
}

export interface UpstreamCheckOptions {
  readonly upstream: Upstream
  readonly apiUrl: string
  readonly clock: Clock
  readonly onError: Report
}

/** Less than a node waits for the answer to a job order. */
const CHECK_MS = 1_500
/** A server that was not reached is not asked again for so long. */
const REST_MS = 5_000

export function createUpstreamCheck({ upstream, apiUrl, clock, onError }: UpstreamCheckOptions): UpstreamCheck {
  const trouble = createTrouble(clock, onError)
  let isTrusted = false
  let rest: { readonly untilMs: number; readonly reason: string } | undefined

  function fail(cause: unknown): string {
    const reason = `A transcode agent cannot fetch films from ${apiUrl} (MARQUEE_API_URL): ${textOf(cause)}`
    isTrusted = false
    trouble.failed(new Error(reason))
    return reason
  }

  return {
    async whyNot(mediaFile) {
      if (isTrusted) return undefined
      if (rest && clock.monotonic() < rest.untilMs) return rest.reason
      const limit = new AbortController()
      try {
        await withTimeout(fetchOneByte(upstream, mediaFile, limit.signal), { clock, ms: CHECK_MS, message: 'The server does not answer' })
      } catch (cause) {
        const reason = fail(cause)
        // The server answered: another film may be there.
        rest = cause instanceof MediaLost ? undefined : { untilMs: clock.monotonic() + REST_MS, reason }
        return reason
      } finally {
        limit.abort()
      }
      isTrusted = true
      rest = undefined
      trouble.passed()
      return undefined
    },
    failed: (cause) => void fail(cause),
  }
}

async function fetchOneByte(upstream: Upstream, mediaFile: RemoteMedia, signal: AbortSignal): Promise<void> {
  const version = await upstream.version(mediaFile, signal)
  await upstream.read({ ...mediaFile, ...version }, { first: 0, into: new Uint8Array(1), came: () => undefined }, signal)
}

/** Node's error has no message if a host has several addresses and none of them answers. */
function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
