/** Decodes bytes to text, as far as the bytes themselves reveal their encoding. */

/** Byte order marks; the decoders remove them. */
const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** Most broken characters per intact one beyond ASCII. */
const MOST_BROKEN = 0.02
/** Bytes examined to detect UTF-16 without a mark. */
const SAMPLE_BYTES = 4096
/** Least share of zeros in UTF-16: even in Chinese, a third of a subtitle is digits and line ends. */
const LEAST_ZEROS = 0.03

/** Text whose encoding shows in a byte order mark, in the zero bytes of UTF-16, or in being valid UTF-8; else undefined. */
export function decodeUnicode(bytes: Uint8Array): string | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  const label = marked?.[0] ?? utf16Of(bytes)
  if (label !== undefined) return new TextDecoder(label).decode(bytes)
  return decodeStrict(bytes, 'utf-8') ?? decodeDamaged(bytes)
}

/** UTF-8 with a few broken characters is still UTF-8: text in another encoding has hardly any valid sequences. */
function decodeDamaged(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes)
  let [broken, whole] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) broken++
    // Count a surrogate pair once.
    else if (unit > 0x7f && (unit < 0xdc00 || unit > 0xdfff)) whole++
  }
  return broken <= whole * MOST_BROKEN ? text : undefined
}

/** Undefined if the encoding is unknown or the bytes are invalid in it. */
export function decodeStrict(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** In UTF-16, line ends, digits and spaces have a zero in every other byte; no other text has zeros. */
function utf16Of(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const least = sample.length * LEAST_ZEROS
  if (odd > least && even * 10 < odd) return 'utf-16le'
  return even > least && odd * 10 < even ? 'utf-16be' : undefined
}
