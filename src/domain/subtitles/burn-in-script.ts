/**
 * Writes the ASS script that a subtitle is burnt in by, whatever its format. Styled subtitles keep their styles; plain text gets one simple
 * and readable style.
 */
import type { SubtitleFormat } from '../../vocabulary/subtitle-format.ts'
import { assTimeMs, columnsIn, dialogueIn, USUAL_COLUMNS } from './ass-lines.ts'
import type { Cue } from '../../vocabulary/cue.ts'
import { readCues } from './subtitle-text.ts'

export interface ScriptOptions {
  readonly format: SubtitleFormat
  /** Shift from the times of the text to those of the film's container. */
  readonly byMs: number
  /** Of the displayed video. */
  readonly width: number
  readonly height: number
}

/** The plain style's sizes are for a video with this many lines on its shorter side. */
const LINES = 1080
const STYLE = 'Style: Plain,sans-serif,58,&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,60,60,54,1'
const STYLE_COLUMNS =
  'Format: Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,' +
  'Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding'
const EVENT_COLUMNS = 'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text'
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
}

export function burntScript(text: string, options: ScriptOptions): string {
  return options.format === 'ass' ? movedScript(text, options.byMs) : plainScript(readCues(text, options.format), options)
}

/** Keeps every line, and changes only the times. */
function movedScript(text: string, byMs: number): string {
  let columns: readonly string[] = USUAL_COLUMNS
  const lines = text.split(/\r\n|\r|\n/).map((line) => {
    columns = columnsIn(line) ?? columns
    const fields = dialogueIn(line)
    return fields ? movedLine(fields, columns, byMs) : line
  })
  return lines.join('\n')
}

function movedLine(fields: readonly string[], columns: readonly string[], byMs: number): string {
  const moved = fields.map((field, place) => {
    const ms = columns[place] === 'start' || columns[place] === 'end' ? assTimeMs(field.trim()) : undefined
    return ms === undefined ? field : stamp(ms + byMs)
  })
  return `Dialogue:${moved.join(',')}`
}

function plainScript(cues: readonly Cue[], { byMs, width, height }: ScriptOptions): string {
  const share = LINES / Math.min(width, height)
  const head = ['[Script Info]', 'ScriptType: v4.00+', 'WrapStyle: 0', 'ScaledBorderAndShadow: yes']
  const size = [`PlayResX: ${Math.round(width * share)}`, `PlayResY: ${Math.round(height * share)}`]
  const styles = ['', '[V4+ Styles]', STYLE_COLUMNS, STYLE, '', '[Events]', EVENT_COLUMNS]
  const events = cues.map(({ startMs, endMs, settings, text }) => {
    const place = /^line:0\b|\bline:[1-3]?\d%?(?:,|\s|$)/.test(settings) ? '{\\an8}' : ''
    return `Dialogue: 0,${stamp(startMs + byMs)},${stamp(endMs + byMs)},Plain,,0,0,0,,${place}${words(text)}`
  })
  return [...head, ...size, ...styles, ...events, ''].join('\n')
}

/** Converts WebVTT cue text to ASS text: italics, bold and underline stay. */
function words(text: string): string {
  return text
    .split(/(<[^<>]{0,200}>)/)
    .map((piece, index) => (index % 2 === 1 ? code(piece) : plain(piece)))
    .join('')
    .replaceAll('\n', '\\N')
}

function code(tag: string): string {
  const [, closing, name] = /^<(\/?)([ibu])(?:[.\s>])/i.exec(tag) ?? []
  return name === undefined ? '' : `{\\${name.toLowerCase()}${closing === '/' ? 0 : 1}}`
}

/** A word joiner makes a backslash literal. */
function plain(text: string): string {
  return text
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) =>
      name === undefined ? character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) : (ENTITIES[name] ?? whole),
    )
    .replaceAll('\\', '\\\u2060')
    .replaceAll(/[{}]/g, '\\$&')
}

const character = (code: number): string => (code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** Cues before the container's zero are shown from zero on. */
function stamp(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10))
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const seconds = hundredths / 100
  return `${Math.floor(seconds / 3600)}:${pad((seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(hundredths % 100)}`
}
