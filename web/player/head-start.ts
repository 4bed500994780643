/**
 * Requests what hls.js is going to request first as soon as there is a session, all at once. By itself it requests the master playlist, then
 * the media playlist, then segments: on a slow network each takes a round trip more. The audio comes later: only the master playlist says
 * whether it is converted.
 */
import type { HlsConfig, LoaderContext } from 'hls.js'
import type { Choice, EngineOptions, Session } from './engine.ts'

type LoaderClass = HlsConfig['loader']
type Asked = Parameters<InstanceType<LoaderClass>['load']>

interface Early {
  readonly bytes: ArrayBuffer
  /** Milliseconds, as `performance.now()` says. */
  readonly startMs: number
  readonly firstMs: number
  readonly endMs: number
}

export interface HeadStart {
  /** What was requested of the URL, whatever its token, once; undefined if nothing was. The answer is undefined if it failed. */
  take(url: string): Promise<Early | undefined> | undefined
  /** Aborts what nobody took. */
  stop(): void
}

/** The quality that playback begins with; undefined if the measured bandwidth decides. */
export const firstQuality = ({ qualities }: Pick<Session, 'qualities'>, { quality }: Choice): string | undefined =>
  quality ?? qualities.find(({ method }) => method !== 'transcode')?.name

/**
 * Addresses of what is needed first. Which segment is at a position only the playlist says, except at the beginning. The cookie authorizes
 * them: the token of a session may be old.
 */
export function firstUrls({ session, at, choice }: Pick<EngineOptions, 'session' | 'at' | 'choice'>): readonly string[] {
  const master = session.masterPlaylistUrl
  const quality = firstQuality(session, choice)
  if (quality === undefined) return [master]
  const files = ['playlist.m3u8', ...(at === 0 ? ['init.mp4', 'seg-0.m4s'] : [])]
  const folder = `${master.slice(0, master.lastIndexOf('/'))}/${encodeURIComponent(quality)}`
  return [master, ...files.map((file) => `${folder}/${file}`)]
}

/** Only the path counts, so any host serves. */
const pathOf = (url: string): string => new URL(url, 'http://any').pathname

export function startAhead(options: EngineOptions): HeadStart {
  const aborter = new AbortController()
  const early = new Map(firstUrls(options).map((url) => [pathOf(url), request(url, aborter.signal)]))
  return {
    take(url) {
      const path = pathOf(url)
      const answer = early.get(path)
      early.delete(path)
      return answer
    },
    stop() {
      early.clear()
      aborter.abort()
    },
  }
}

async function request(url: string, signal: AbortSignal): Promise<Early | undefined> {
  const startMs = performance.now()
  try {
    const answer = await fetch(url, { signal })
    const firstMs = performance.now()
    if (!answer.ok) return undefined
    const bytes = await answer.arrayBuffer()
    return { bytes, startMs, firstMs, endMs: performance.now() }
  } catch {
    return undefined
  }
}

/** A loader for hls.js that takes what was requested ahead. What failed is requested again, with all of hls.js's retries. */
export function loaderWith(Base: LoaderClass, ahead: HeadStart): LoaderClass {
  return class extends Base {
    /** While the answer is awaited. */
    #waiting: Asked | undefined

    override load(...asked: Asked): void {
      const [context] = asked
      const answer = ahead.take(context.url)
      if (!answer) return super.load(...asked)
      this.#waiting = asked
      void answer.then((early) => this.#answered(early))
    }

    #answered(early: Early | undefined): void {
      const asked = this.#waiting
      this.#waiting = undefined
      if (!asked) return
      if (!early) return super.load(...asked)
      const [context, , callbacks] = asked
      this.context = context
      Object.assign(this.stats.loading, { start: early.startMs, first: early.firstMs, end: early.endMs })
      this.stats.loaded = early.bytes.byteLength
      this.stats.total = early.bytes.byteLength
      callbacks.onSuccess({ url: context.url, data: dataOf(early.bytes, context), code: 200 }, this.stats, context, null)
    }

    override abort(): void {
      if (!this.#waiting) return super.abort()
      const [context, , callbacks] = this.#waiting
      this.#waiting = undefined
      this.stats.aborted = true
      callbacks.onAbort?.(this.stats, context, null)
    }

    override destroy(): void {
      this.#waiting = undefined
      super.destroy()
    }
  }
}

const dataOf = (bytes: ArrayBuffer, { responseType }: LoaderContext): ArrayBuffer | string =>
  responseType === 'arraybuffer' ? bytes : new TextDecoder().decode(bytes)
