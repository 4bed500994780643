/**
 * Writes the blocks of a text track as a subtitle file in the track's own format, byte for byte. The file keeps the track's encoding and is
 * parsed like a separate subtitle file.
 */
import type { SubtitleFormat } from '../../vocabulary/subtitle-format.ts'
import type { MatroskaBlock } from './piped-matroska.ts'

export interface SubtitleDocument {
  add(block: MatroskaBlock): void
  bytes(header: Buffer | undefined): Buffer
}

/** Display time of a cue without an end, unless the next one ends it earlier. */
const UNKNOWN_DURATION_MS = 5000
/** The size limit of separate subtitle files. */
const MAX_BYTES = 10 * 1024 * 1024
const MAX_BLOCKS = 100_000
const ASS_FORMAT = '\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n'

export function createSubtitleDocument(format: SubtitleFormat): SubtitleDocument {
  const blocks: MatroskaBlock[] = []
  let size = 0
  return {
    add(block) {
      size += block.payload.length
      if (size <= MAX_BYTES && blocks.length < MAX_BLOCKS) blocks.push(block)
    },
    bytes(header) {
      const parts = blocks.map((block, index) => WRITERS[format](block, endOf(block, blocks[index + 1])))
      return Buffer.concat([headOf(format, header), ...parts.map((part) => Buffer.from(part, 'latin1'))])
    },
  }
}

function headOf(format: SubtitleFormat, header: Buffer | undefined): Buffer {
  if (format === 'webvtt') return Buffer.from('WEBVTT\n\n')
  return format === 'ass' ? Buffer.concat([withoutZeros(header ?? Buffer.alloc(0)), Buffer.from(ASS_FORMAT)]) : Buffer.alloc(0)
}

/** Some muxers end the header with a zero, as C does. */
function withoutZeros(header: Buffer): Buffer {
  const zero = header.indexOf(0)
  return zero < 0 ? header : header.subarray(0, zero)
}

function endOf({ startMs, durationMs }: MatroskaBlock, next: MatroskaBlock | undefined): number {
  if (durationMs !== null && durationMs > 0) return startMs + durationMs
  const endMs = startMs + UNKNOWN_DURATION_MS
  return next && next.startMs > startMs ? Math.min(endMs, next.startMs) : endMs
}

type Write = (block: MatroskaBlock, endMs: number) => string

/** Texts hold bytes here: `latin1` keeps each byte. */
const WRITERS: Readonly<Record<SubtitleFormat, Write>> = {
  subrip: ({ startMs, payload }, endMs) => `${times(startMs, endMs)}\n${unbroken(payload.toString('latin1'))}\n\n`,
  /** ffmpeg writes a line with the cue's name, one with its settings, then its text. */
  webvtt({ startMs, payload }, endMs) {
    const [, settings = '', ...lines] = payload.toString('latin1').split('\n')
    return `${times(startMs, endMs)} ${settings}\n${unbroken(lines.join('\n'))}\n\n`
  },
  /** Reading order, layer, then the fields that follow the times in a file. */
  ass({ startMs, payload }, endMs) {
    const [, order, layer = '', rest] = /^([^,]*),([^,]*),([^]*)$/.exec(payload.toString('latin1')) ?? []
    if (order === undefined || rest === undefined) return ''
    return `Dialogue: ${layer},${stamp(startMs)},${stamp(endMs)},${rest.replaceAll(/\r?\n|\r/g, '\\N')}\n`
  },
}

/** A blank line would end the cue. */
const unbroken = (text: string): string =>
  text
    .replaceAll(/\r\n|\r/g, '\n')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim()

const times = (startMs: number, endMs: number): string => `${stamp(startMs)} --> ${stamp(endMs)}`

/** A cue before the container's zero is shown from zero on. */
function stamp(ms: number): string {
  const at = Math.max(0, Math.round(ms))
  const pad = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0')
  return `${pad(at / 3_600_000, 2)}:${pad((at / 60_000) % 60, 2)}:${pad((at / 1000) % 60, 2)}.${pad(at % 1000, 3)}`
}
