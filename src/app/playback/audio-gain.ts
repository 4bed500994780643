/**
 * Determines the gain of a session's audio, once when it starts. This may need a measurement of the film that does not exist yet. The
 * session waits briefly for it; a slower measurement continues without the session, and serves the next one.
 */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { TrackGain } from '../../vocabulary/stream-options.ts'
import { trackGains, type AskedGain } from '../../domain/streaming/audio-gain.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Loudness, TrackLoudness } from '../../ports/loudness.ts'
import type { Report } from '../../ports/report.ts'

export interface AudioGains {
  /** Gains of the tracks that change. Never rejects. */
  resolve(mediaFile: PlayedFile, asked: AskedGain): Promise<readonly TrackGain[]>
  /** Aborts running measurements. */
  close(): Promise<void>
}

export interface PlayedFile {
  readonly path: string
  readonly fingerprint: string
  readonly media: MediaDescription | null
}

export interface AudioGainsDependencies {
  readonly clock: Clock
  readonly loudness: Loudness
  readonly onError: Report
}

/** A viewer waits for the video. */
const PATIENCE_MS = 3_000
/** Concurrent measurements of films that are about to be played. */
const MAX_AT_ONCE = 2

type Measured = Promise<readonly TrackLoudness[] | undefined>

export function createAudioGains({ clock, loudness, onError }: AudioGainsDependencies): AudioGains {
  const closing = new AbortController()
  const running = new Map<string, Measured>()

  function measure({ path, fingerprint, media }: PlayedFile): Measured {
    const before = running.get(fingerprint)
    if (before) return before
    if (!media || running.size >= MAX_AT_ONCE) return Promise.resolve(undefined)
    const mediaFile = { path, fingerprint, bitrateBps: media.bitrateBps, audio: media.audio }
    const tracks = loudness
      .measure(mediaFile, closing.signal)
      .catch((cause: unknown) => {
        if (!closing.signal.aborted) onError(cause, 'warn')
        return undefined
      })
      .finally(() => running.delete(fingerprint))
    running.set(fingerprint, tracks)
    return tracks
  }

  function measuredSoon(mediaFile: PlayedFile): Measured {
    const known = async () => (await loudness.kept(mediaFile.fingerprint)) ?? measure(mediaFile)
    const message = 'Measuring takes longer than a player waits'
    return withTimeout(known(), { clock, ms: PATIENCE_MS, message }).catch(() => undefined)
  }

  return {
    async resolve(mediaFile, asked) {
      if (!mediaFile.media) return []
      // Audio that is not made louder cannot clip, so it needs no measurement.
      const isRaised = asked === 'auto' || asked > 0
      return trackGains(mediaFile.media, asked, isRaised ? await measuredSoon(mediaFile) : undefined)
    },
    async close() {
      closing.abort(new Error('Closed'))
      await Promise.all(running.values())
    },
  }
}
