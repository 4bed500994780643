/** Reads cues of SubRip and WebVTT files leniently: invalid parts are skipped, nothing throws. */
import type { Cue } from '../../vocabulary/cue.ts'
import { lineAtTop, subRipMarkup, webVttMarkup } from './cue-text.ts'

/** No film comes close; a typeset ASS file may. */
export const MAX_CUES = 100_000
const MAX_CUE_TEXT = 5000
/** Control characters, byte order marks and Unicode noncharacters. */
const NO_TEXT = /(?!\t)\p{Cc}|[\ufeff\ufffe\uffff]/gu

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?`
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(.*)$`)
const SETTING =
  /^(?:vertical:(?:rl|lr)|line:-?\d+(?:\.\d+)?%?(?:,(?:start|center|end))?|(?:position|size):\d+(?:\.\d+)?%(?:,[a-z-]+)?|align:(?:start|center|end|left|right))$/

export function readSubRip(text: string): readonly Cue[] {
  return readBlocks(text, { spansBlankLines: true }).flatMap(({ startMs, endMs, lines }) => {
    const joined = lines.join('\n')
    return cueOf({ startMs, endMs, settings: lineAtTop(joined), text: subRipMarkup(joined) })
  })
}

export function readWebVtt(text: string): readonly Cue[] {
  return readBlocks(text, { spansBlankLines: false }).flatMap(({ lines, settings, ...times }) => {
    const kept = settings.split(/\s+/).filter((setting) => SETTING.test(setting))
    return cueOf({ ...times, settings: kept.join(' '), text: webVttMarkup(lines.join('\n')) })
  })
}

/** The cue without control characters and blank lines; empty if it has no text or ends before it starts. */
export function cueOf({ startMs, endMs, settings, text }: Cue): readonly Cue[] {
  const lines = text.split('\n').map((line) => line.replace(NO_TEXT, '').trimEnd())
  const clean = lines.filter((line) => line.trim() !== '').join('\n')
  return endMs > startMs && clean !== '' ? [{ startMs, endMs, settings, text: clean.slice(0, MAX_CUE_TEXT) }] : []
}

interface Block {
  readonly startMs: number
  readonly endMs: number
  readonly settings: string
  readonly lines: readonly string[]
}

/** Every timing line with the lines below it. */
function readBlocks(text: string, { spansBlankLines }: { readonly spansBlankLines: boolean }): readonly Block[] {
  const lines = text.split(/\r\n|\r|\n/)
  const blocks: Block[] = []
  for (let at = 0; at < lines.length && blocks.length < MAX_CUES; at++) {
    const timing = readTiming(lines[at] ?? '')
    if (!timing) continue
    const end = endOfBlock(lines, at + 1, spansBlankLines)
    blocks.push({ ...timing, lines: lines.slice(at + 1, end) })
    at = end - 1
  }
  return blocks
}

/**
 * Where a block's text ends: at a blank line (in SubRip only if the next lines look like a cue), or at the next timing line. The number
 * above that line is not text either.
 */
function endOfBlock(lines: readonly string[], start: number, spansBlankLines: boolean): number {
  let filled = start
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (readTiming(line)) return /^\s*\d+\s*$/.test(lines[at - 1] ?? '') ? Math.max(start, at - 1) : at
    if (line.trim() !== '') {
      const follows = at > filled && at > start
      if (follows && (!spansBlankLines || /^\s*\d+\s*$/.test(line) || line.includes('->'))) return filled
      filled = at + 1
    }
  }
  return filled
}

function readTiming(line: string): Omit<Block, 'lines'> | undefined {
  const match = line.length > 500 ? null : TIMING.exec(line)
  if (!match) return undefined
  const [startMs, endMs] = [milliseconds(match.slice(1, 5)), milliseconds(match.slice(5, 9))]
  return { startMs, endMs, settings: match[9] ?? '' }
}

function milliseconds([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number {
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number((fraction ?? '').padEnd(3, '0'))
}
