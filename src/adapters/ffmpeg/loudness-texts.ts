/** Parses loudness from the log of ffmpeg's `ebur128`, and reads and writes its stored form: JSON with the version of the measurement. */
import type { AudioLoudness, TrackLoudness } from '../../ports/loudness.ts'

/** Changes with the mix that players get of a track. */
const VERSION = 1
/** Below it the meter registers nothing (ITU-R BS.1770-4). */
const SILENCE_LUFS = -70
const SILENCE_DB = -120
const MAX_TRACKS = 64
const SUMMARY =
  /\[ebur128@(\w+) @ [^\]]*\] Summary:\s+Integrated loudness:\s+I:\s+(\S+) LUFS[\s\S]{0,2000}?True peak:\s+Peak:\s+(\S+) dBFS/g

/** Keyed by the meters' names. */
export function loudnessFromLog(log: string): ReadonlyMap<string, AudioLoudness> {
  const summaries = [...log.matchAll(SUMMARY)]
  return new Map(
    summaries.map(([, name = '', loudness, peak]) => [
      name,
      { loudnessLufs: atLeast(SILENCE_LUFS, loudness), truePeakDb: atLeast(SILENCE_DB, peak) },
    ]),
  )
}

/** `-inf` and `nan` are silence. */
function atLeast(least: number, text: string | undefined): number {
  const value = Number(text)
  return Number.isFinite(value) ? Math.max(least, value) : least
}

export const loudnessToJson = (tracks: readonly TrackLoudness[]): string => JSON.stringify({ version: VERSION, tracks })

/** Undefined if damaged or of another version. */
export function loudnessFromJson(text: string): readonly TrackLoudness[] | undefined {
  try {
    const { version, tracks } = JSON.parse(text) as { readonly version: unknown; readonly tracks: readonly TrackLoudness[] }
    return version === VERSION && tracks.length <= MAX_TRACKS && tracks.every(isTrack) ? tracks : undefined
  } catch {
    return undefined
  }
}

const isTrack = ({ stream, stereo, surround }: TrackLoudness): boolean =>
  Number.isSafeInteger(stream) && isLoudness(stereo) && (surround === null || isLoudness(surround))

const isLoudness = ({ loudnessLufs, truePeakDb }: AudioLoudness): boolean => Number.isFinite(loudnessLufs) && Number.isFinite(truePeakDb)
