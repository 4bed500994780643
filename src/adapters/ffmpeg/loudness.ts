/**
 * Measures the loudness of films by ffmpeg's `ebur128` on the mixes made for players, all tracks in one pass; kept as `<folder>/<2 first
 * hex>/<fingerprint>.json`.
 */
import { readFile } from 'node:fs/promises'
import type { AudioTrack } from '../../vocabulary/media-description.ts'
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, loudnessName, SURROUND_CHANNELS, type StartMediaRead } from '../../ports/media-reads.ts'
import type { LoudMediaFile, Loudness, TrackLoudness } from '../../ports/loudness.ts'
import { contentPath } from '../shared/content-path.ts'
import { writeWhole } from '../shared/whole-file.ts'
import { startBounded, untilRead } from './bounded-read.ts'
import { loudnessFromJson, loudnessToJson, loudnessFromLog } from './loudness-texts.ts'
import { backgroundReadRate } from './read-rate.ts'

export interface LoudnessOptions {
  readonly clock: Clock
  readonly folder: string
  readonly start: StartMediaRead
}

/** Further tracks keep their loudness. */
const MAX_TRACKS = 8
const TIMEOUT_MS = 3 * 60 * 60_000
const TRIAL_SECONDS = 5

export function createLoudness(options: LoudnessOptions): Loudness {
  const fileOf = (fingerprint: string): string => contentPath(options.folder, fingerprint, '.json')
  return {
    kept: async (fingerprint) => loudnessFromJson(await readFile(fileOf(fingerprint), 'utf8').catch(() => '')),
    async measure(mediaFile, signal) {
      const audio = mediaFile.audio.slice(0, MAX_TRACKS)
      const tracks = audio.length === 0 ? [] : await measureAll(options, { ...mediaFile, audio }, signal)
      // A full disk costs the copy, but does not fail the caller.
      if (tracks) await writeWhole(fileOf(mediaFile.fingerprint), loudnessToJson(tracks)).catch(() => undefined)
      return tracks
    },
  }
}

/** One track that ffmpeg cannot decode fails the whole run: then a short trial of each track finds the good ones. */
async function measureAll(options: LoudnessOptions, mediaFile: LoudMediaFile, signal: AbortSignal) {
  const all = await run(options, mediaFile, signal)
  if (all || mediaFile.audio.length === 1) return all
  const audio: AudioTrack[] = []
  for (const track of mediaFile.audio) {
    if (await run(options, { ...mediaFile, audio: [track], mostSeconds: TRIAL_SECONDS }, signal)) audio.push(track)
  }
  return audio.length > 0 && audio.length < mediaFile.audio.length ? run(options, { ...mediaFile, audio }, signal) : undefined
}

/** A film, or its beginning. */
interface Measured extends LoudMediaFile {
  readonly mostSeconds?: number
}

/** Undefined also if agents died of it repeatedly. */
async function run(options: LoudnessOptions, mediaFile: Measured, signal: AbortSignal) {
  return untilRead(options.clock, () => runOnce(options, mediaFile, signal), signal).catch((cause: unknown) => {
    if (cause instanceof MediaReadLost) return undefined
    throw cause
  })
}

async function runOnce(options: LoudnessOptions, mediaFile: Measured, signal: AbortSignal) {
  const { path, audio, bitrateBps, mostSeconds = null } = mediaFile
  const read = { type: 'loudness', audio, readRate: backgroundReadRate(bitrateBps), mostSeconds } as const
  const { child, end } = startBounded(options, { path, read, priority: 'idle', timeoutMs: TIMEOUT_MS, signal })
  try {
    // The results come on stderr, not in the output.
    for await (const _ of child.output);
    const { code, errors } = await child.exited
    return code === 0 ? measured(mediaFile, errors) : undefined
  } catch (cause) {
    if (cause instanceof MediaReadLost) throw cause
    return undefined
  } finally {
    end()
    signal.throwIfAborted()
  }
}

function measured({ audio }: LoudMediaFile, log: string): readonly TrackLoudness[] | undefined {
  const found = loudnessFromLog(log)
  const tracks = audio.flatMap(({ stream }): readonly TrackLoudness[] => {
    const stereo = found.get(loudnessName(stream, 2))
    return stereo ? [{ stream, stereo, surround: found.get(loudnessName(stream, SURROUND_CHANNELS)) ?? null }] : []
  })
  return tracks.length === audio.length ? tracks : undefined
}
