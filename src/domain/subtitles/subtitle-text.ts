/** Converts the text of a subtitle file to WebVTT, the only format that players get. */
import type { SubtitleFormat } from '../../vocabulary/subtitle-format.ts'
import { readAss } from './ass-cues.ts'
import type { Cue } from '../../vocabulary/cue.ts'
import { readSubRip, readWebVtt } from './subtitle-cues.ts'

export interface WebVttOptions {
  /** Whether to declare, for HLS, that the cues' zero is the zero of the film's timeline. */
  readonly timestampMap?: boolean
}

const PART_CUES = 2000
const READERS: Readonly<Record<SubtitleFormat, (text: string) => readonly Cue[]>> = { subrip: readSubRip, webvtt: readWebVtt, ass: readAss }

/** Never throws: bad cues are left out, so the worst file becomes a WebVTT without cues. */
export function toWebVtt(text: string, format: SubtitleFormat, options: WebVttOptions = {}): string {
  return writeWebVtt(readCues(text, format), options)
}

/** Sorted by start. */
export function readCues(text: string, format: SubtitleFormat): readonly Cue[] {
  return READERS[format](text).toSorted((a, b) => a.startMs - b.startMs)
}

/** Shifts the cues; drops cues that then end before zero. */
export function moved(cues: readonly Cue[], byMs: number): readonly Cue[] {
  if (byMs === 0) return cues
  return cues.flatMap((cue) => {
    const [startMs, endMs] = [Math.max(0, Math.round(cue.startMs + byMs)), Math.round(cue.endMs + byMs)]
    return endMs > startMs ? [{ ...cue, startMs, endMs }] : []
  })
}

export const writeWebVtt = (cues: readonly Cue[], options: WebVttOptions = {}): string => [...webVttParts(cues, options)].join('')

/** The same text in parts that take a few milliseconds each. */
export function* webVttParts(cues: readonly Cue[], { timestampMap = false }: WebVttOptions = {}): Generator<string> {
  yield timestampMap ? 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n' : 'WEBVTT\n'
  for (let from = 0; from < cues.length; from += PART_CUES) {
    const part = cues.slice(from, from + PART_CUES)
    yield part.map(webVttCue).join('')
  }
}

function webVttCue({ startMs, endMs, settings, text }: Cue): string {
  return `\n${timestamp(startMs)} --> ${timestamp(endMs)}${settings === '' ? '' : ` ${settings}`}\n${text}\n`
}

/** In WebVTT's format. */
export function timestamp(ms: number): string {
  const pad = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0')
  return `${pad(ms / 3_600_000, 2)}:${pad((ms / 60_000) % 60, 2)}:${pad((ms / 1000) % 60, 2)}.${pad(ms % 1000, 3)}`
}
