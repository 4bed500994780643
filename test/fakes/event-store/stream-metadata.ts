/** Computes which events a stream's metadata hides: `$maxCount`, `$maxAge` (seconds) and `$tb` (truncate before). */
import { dataOf, type Recorded } from './recorded.ts'

export interface StreamMetadata {
  readonly maxCount?: number
  readonly maxAgeMs?: number
  readonly truncateBefore?: number
  /** As written, including unknown keys. */
  readonly written: Readonly<Record<string, unknown>>
}

export const NO_METADATA: StreamMetadata = { written: {} }
/** `$tb` of a softly deleted stream. */
const SOFT_DELETED = 2 ** 63
const SOFT_DELETED_TEXT = '9223372036854775807'

const PREFIX = '$$'
export const metastreamOf = (stream: string): string => `${PREFIX}${stream}`
/** The stream that a metastream describes. */
export const describedBy = (stream: string): string | undefined => (stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined)

export const isSoftDeleted = ({ truncateBefore = 0 }: StreamMetadata): boolean => truncateBefore >= SOFT_DELETED

export function readMetadata(event: Recorded): StreamMetadata {
  const written = objectOf(dataOf(event))
  const [maxCount, maxAgeSeconds, truncateBefore] = [written['$maxCount'], written['$maxAge'], written['$tb']]
  return {
    ...(typeof maxCount === 'number' ? { maxCount } : {}),
    ...(typeof maxAgeSeconds === 'number' ? { maxAgeMs: maxAgeSeconds * 1000 } : {}),
    ...(typeof truncateBefore === 'number' ? { truncateBefore } : {}),
    written,
  }
}

/** The same metadata with another `$tb`; default: softly deleted. */
export function metadataText({ written }: StreamMetadata, truncateBefore?: number): string {
  if (truncateBefore !== undefined) return JSON.stringify({ ...written, $tb: truncateBefore })
  return JSON.stringify({ ...written, $tb: '@' }).replace('"@"', SOFT_DELETED_TEXT)
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}
