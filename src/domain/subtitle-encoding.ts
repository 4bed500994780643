/** Decodes the bytes of a subtitle file, whose encoding nobody wrote down. */
import type { Writing } from './subtitle-encodings.ts'
import { FAR_FROM_LATIN, writingOf } from './subtitle-encodings.ts'
import { decodeStrict, decodeUnicode } from './text-encoding.ts'

/** Share of bytes beyond ASCII among letters from which on a text is in no Latin alphabet; Vietnamese comes near. */
const NOT_LATIN = 0.5
/** How much is looked at to tell one encoding from another. */
const SAMPLE_BYTES = 65_536
const SAMPLE_CHARACTERS = 65_536
/** Control characters, half-width katakana, private use: what misread text is full of. */
const ODD = /(?!\s)\p{Cc}|[\uff61-\uff9f]|\p{Co}/gu

/**
 * Unicode first, then the encodings of the language (BCP 47, from the file's name), then those that the letters tell. Always
 * gives a text: garbage for bytes that are none.
 */
export function decodeSubtitle(bytes: Uint8Array, language: string | null): string {
  const unicode = decodeUnicode(bytes)
  if (unicode !== undefined) return unicode
  const hinted = language === null ? undefined : best(bytes, [writingOf(language)])
  const label = hinted ?? (isLatin(bytes) ? undefined : best(bytes, FAR_FROM_LATIN)) ?? 'windows-1252'
  // Vietnamese is stored with its tone marks apart.
  return new TextDecoder(label).decode(bytes).normalize('NFC')
}

/** The encoding whose text is most typical of its writing; undefined when the bytes are valid, or make sense, in none. */
function best(bytes: Uint8Array, writings: readonly Writing[]): string | undefined {
  const candidates = writings.flatMap((writing) => writing.encodings.map((label) => ({ label, score: scoreOf(bytes, label, writing) })))
  const possible = candidates.filter(({ score }) => score >= 0)
  return possible.toSorted((a, b) => b.score - a.score)[0]?.label
}

/** How usual the text looks in a writing: about 1 where it is right, below 0 for text that nobody writes. */
function scoreOf(bytes: Uint8Array, label: string, { typical, share }: Writing): number {
  const text = decodeStrict(bytes, label)?.slice(0, SAMPLE_CHARACTERS)
  if (text === undefined) return -1
  const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0
  const usual = text.match(typical)?.length ?? 0
  return (usual - (text.match(ODD)?.length ?? 0)) / Math.max(1, foreign) / share
}

function isLatin(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const high = sample.filter((byte) => byte >= 0x80).length
  const letters = sample.filter((byte) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)).length
  return high < (high + letters) * NOT_LATIN
}
