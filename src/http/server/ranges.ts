/**
 * Parses the byte ranges of a request (RFC 9110, section 14). One range is served; several ranges, or malformed ones, return the whole
 * file.
 */

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** `whole`: as without a range. `unsatisfiable`: outside the file. */
export type RangeAnswer = ByteRange | 'whole' | 'unsatisfiable'

const UNIT = /^bytes=(.*)$/i
const RANGE = /^(\d*)-(\d*)$/

export function readRange(header: string | undefined, sizeBytes: number): RangeAnswer {
  const list = header === undefined ? undefined : UNIT.exec(header.trim())?.[1]
  const ranges = (list ?? '').split(',').flatMap((part) => part.trim() || [])
  const [first = '', last = ''] = (ranges.length === 1 ? RANGE.exec(ranges[0] ?? '') : null)?.slice(1) ?? []
  if (first === '' && last === '') return 'whole'
  return first === '' ? suffix(Number(last), sizeBytes) : between(Number(first), last === '' ? Infinity : Number(last), sizeBytes)
}

function suffix(length: number, sizeBytes: number): RangeAnswer {
  if (length === 0 || sizeBytes === 0) return 'unsatisfiable'
  return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 }
}

function between(first: number, last: number, sizeBytes: number): RangeAnswer {
  if (last < first) return 'whole'
  if (first >= sizeBytes) return 'unsatisfiable'
  return { first, last: Math.min(last, sizeBytes - 1) }
}
