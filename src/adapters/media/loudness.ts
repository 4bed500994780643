/**
 * Loudness of films, measured by ffmpeg's `ebur128` on what is made of them for players, all tracks in one pass; kept as
 * `<folder>/<2 first hex>/<fingerprint>.json`.
 */
import { readFile } from 'node:fs/promises'
import type { AudioTrack } from '../../events/media-description.ts'
import { filmInput } from '../../ffmpeg/inputs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LoudFilm, Loudness, TrackLoudness } from '../../ports/loudness.ts'
import { contentPath } from '../content-path.ts'
import { writeWhole } from '../whole-file.ts'
import { loudnessFromJson, loudnessToJson, loudnessFromLog } from './loudness-texts.ts'
import { backgroundReadRate } from './read-rate.ts'
import { startBounded, type StartFfmpeg } from './running-ffmpeg.ts'

export interface LoudnessOptions {
  readonly clock: Clock
  readonly folder: string
  readonly start: StartFfmpeg
  /** Filters that make stereo or 5.1 of a track as players get it; `channels`: 1, 2 or 6. */
  readonly filtersOf: (track: AudioTrack, channels: number) => readonly string[]
}

/** The others stay as loud as they are. */
const MAX_TRACKS = 8
const SURROUND_CHANNELS = 6
const TIMEOUT_MS = 3 * 60 * 60_000
const TRIAL_SECONDS = 5

export function createLoudness(options: LoudnessOptions): Loudness {
  const fileOf = (fingerprint: string): string => contentPath(options.folder, fingerprint, '.json')
  return {
    kept: async (fingerprint) => loudnessFromJson(await readFile(fileOf(fingerprint), 'utf8').catch(() => '')),
    async measure(film, signal) {
      const audio = film.audio.slice(0, MAX_TRACKS)
      const tracks = audio.length === 0 ? [] : await measureAll(options, { ...film, audio }, signal)
      // A disk that is full costs the copy, not its caller.
      if (tracks) await writeWhole(fileOf(film.fingerprint), loudnessToJson(tracks)).catch(() => undefined)
      return tracks
    },
  }
}

/** One track that ffmpeg cannot decode ends all of it: then those that it can are told apart by how they begin. */
async function measureAll(options: LoudnessOptions, film: LoudFilm, signal: AbortSignal) {
  const all = await run(options, film, signal)
  if (all || film.audio.length === 1) return all
  const audio: AudioTrack[] = []
  for (const track of film.audio) {
    if (await run(options, { ...film, audio: [track], mostSeconds: TRIAL_SECONDS }, signal)) audio.push(track)
  }
  return audio.length > 0 && audio.length < film.audio.length ? run(options, { ...film, audio }, signal) : undefined
}

/** A film, or its beginning. */
interface Measured extends LoudFilm {
  readonly mostSeconds?: number
}

async function run(options: LoudnessOptions, film: Measured, signal: AbortSignal) {
  const args = argumentsFor(film, options.filtersOf)
  const { child, end } = startBounded(options, { args, idle: true, timeoutMs: TIMEOUT_MS, signal })
  try {
    // What it says, it says beside its output.
    for await (const _ of child.output);
    const { code, errors } = await child.exited
    return code === 0 ? measured(film, errors) : undefined
  } catch {
    return undefined
  } finally {
    end()
    signal.throwIfAborted()
  }
}

function measured({ audio }: LoudFilm, log: string): readonly TrackLoudness[] | undefined {
  const found = loudnessFromLog(log)
  const tracks = audio.flatMap(({ stream }): readonly TrackLoudness[] => {
    const stereo = found.get(nameOf(stream, 2))
    return stereo ? [{ stream, stereo, surround: found.get(nameOf(stream, SURROUND_CHANNELS)) ?? null }] : []
  })
  return tracks.length === audio.length ? tracks : undefined
}

const nameOf = (stream: number, channels: number): string => `s${stream}c${channels === SURROUND_CHANNELS ? channels : 2}`

function argumentsFor({ path, bitrateBps, audio, mostSeconds }: Measured, filtersOf: LoudnessOptions['filtersOf']): readonly string[] {
  const forms = audio.map((track) => [
    Math.min(2, Math.max(1, track.channels)),
    ...(track.channels >= SURROUND_CHANNELS ? [SURROUND_CHANNELS] : []),
  ])
  const graph = audio.flatMap((track, at) => {
    const into = forms[at]!.map((channels) => `[${nameOf(track.stream, channels)}in]`).join('')
    const meters = forms[at]!.map((channels) => {
      const name = nameOf(track.stream, channels)
      // One channel is heard from both loudspeakers.
      const meter = `ebur128@${name}=peak=true:framelog=verbose${channels === 1 ? ':dualmono=true' : ''}`
      return `[${name}in]${[...filtersOf(track, channels), 'aresample=48000', meter].join(',')}[${name}]`
    })
    return [`[0:${track.stream}]asplit=${forms[at]!.length}${into}`, ...meters]
  })
  const outputs = audio.flatMap(({ stream }, at) =>
    forms[at]!.flatMap((channels) => ['-map', `[${nameOf(stream, channels)}]`, '-f', 'null', '-']),
  )
  const part = mostSeconds === undefined ? [] : ['-t', String(mostSeconds)]
  const input = [...part, ...filmInput(path, ['-readrate', backgroundReadRate(bitrateBps)])]
  return ['-v', 'info', '-hide_banner', '-nostdin', '-nostats', ...input, '-filter_complex', graph.join(';'), ...outputs]
}
