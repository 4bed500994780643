/** Bytes to text, as far as the bytes themselves tell how. */

/** Byte order marks; the decoders take them off. */
const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** Broken characters for each whole one beyond ASCII. */
const MOST_BROKEN = 0.02
/** Bytes looked at to tell UTF-16 without a mark. */
const SAMPLE_BYTES = 4096
/** Share of zeros in UTF-16: subtitles in Chinese are a third digits and line ends. */
const LEAST_ZEROS = 0.03

/** Text that says its encoding by a byte order mark, by the zero bytes of UTF-16, or by being valid UTF-8; undefined otherwise. */
export function decodeUnicode(bytes: Uint8Array): string | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  const label = marked?.[0] ?? utf16Of(bytes)
  if (label !== undefined) return new TextDecoder(label).decode(bytes)
  return decodeStrict(bytes, 'utf-8') ?? decodeDamaged(bytes)
}

/** UTF-8 with a few broken characters in it is still UTF-8: text in another encoding has hardly any that are whole. */
function decodeDamaged(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes)
  let [broken, whole] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) broken++
    // Of two halves of a character the second one does not count.
    else if (unit > 0x7f && (unit < 0xdc00 || unit > 0xdfff)) whole++
  }
  return broken <= whole * MOST_BROKEN ? text : undefined
}

/** Undefined where the encoding is unknown or the bytes are not valid in it. */
export function decodeStrict(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** In UTF-16 line ends, digits and blanks have a zero in every other byte; no other text has zeros. */
function utf16Of(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const least = sample.length * LEAST_ZEROS
  if (odd > least && even * 10 < odd) return 'utf-16le'
  return even > least && odd * 10 < even ? 'utf-16be' : undefined
}
