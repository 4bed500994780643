/** Decodes the bytes of a subtitle file, whose encoding nobody wrote down. */
import { ALL_WRITINGS, UNLIKELY, writingsOf, type Writing } from './subtitle-encodings.ts'
import { decodeStrict, decodeUnicode } from './text-encoding.ts'

/** How much is looked at to tell one encoding from another. */
const SAMPLE_BYTES = 65_536
const SAMPLE_LETTERS = 3000
/** Share of high bytes among letters, and of those in longer runs of them, from which on a text is in no Latin alphabet. */
const NOT_LATIN = { letters: 0.5, runs: 0.5 }
const RUN_BYTES = 4
const CERTAIN_BYTES = 30
/** Punctuation beyond ASCII, in every language. */
const PUNCTUATION = /[“”„‘’‚‹›…–—«»¡¿°•♪♫·©®™€£\u00a0]/u
/** Control characters, half-width katakana, private use: what misread text is full of. */
const ODD = /(?!\s)\p{Cc}|[\uff61-\uff9f\ufffd]|\p{Co}/u
const MARK = Math.log(0.02)
const SELDOM = Math.log(0.004)
/** For each encoding of a language that is more usual. */
const LESS_USUAL = -1.5
/** A capital at the beginning of a word, behind another capital, and behind a small letter. */
const CAPITAL = Math.log(0.15)
const ALL_CAPITALS = Math.log(0.7)
const MISPLACED = Math.log(0.02)

/**
 * Unicode first, then the encodings of the language (BCP 47, from the file's name), then those that the letters tell. Always
 * gives a text: garbage for bytes that are none.
 */
export function decodeSubtitle(bytes: Uint8Array, language: string | null): string {
  const unicode = decodeUnicode(bytes)
  if (unicode !== undefined) return unicode
  const label = encodingOf(bytes.subarray(0, SAMPLE_BYTES), language)
  // Vietnamese is stored with its tone marks apart.
  return new TextDecoder(label).decode(bytes).normalize('NFC')
}

function encodingOf(sample: Uint8Array, language: string | null): string {
  const { latin, certain } = alphabetOf(sample)
  // What the name says may be wrong, but words are told from those of another alphabet only once there are enough of them.
  const possible = (writing: Writing): boolean => !certain || writing.latin === latin
  const told = language === null ? undefined : best(sample, writingsOf(language).filter(possible))
  return told ?? best(sample, ALL_WRITINGS.filter(possible)) ?? 'windows-1252'
}

/** The encoding in which the bytes are most likely a text; undefined when they are none in any. */
function best(sample: Uint8Array, writings: readonly Writing[]): string | undefined {
  const texts = new Map<string, readonly Letter[] | undefined>()
  let found: { readonly label: string; readonly score: number } | undefined
  for (const writing of writings) {
    for (const [rank, label] of writing.encodings.entries()) {
      if (!texts.has(label)) texts.set(label, lettersOf(decodeSample(sample, label)))
      const letters = texts.get(label)
      const score = letters ? likelihoodOf(letters, writing) + rank * LESS_USUAL : -Infinity
      if (score > (found?.score ?? -Infinity)) found = { label, score }
    }
  }
  return found?.label
}

/** A sample may end in the middle of a character. */
function decodeSample(sample: Uint8Array, label: string): string | undefined {
  for (let cut = 0; cut < 4; cut++) {
    const text = decodeStrict(sample.subarray(0, sample.length - cut), label)
    if (text !== undefined || sample.length < SAMPLE_BYTES) return text
  }
  return undefined
}

interface Letter {
  readonly character: string
  readonly before: string
  readonly after: string
}

/** Characters beyond ASCII, with their neighbours. */
function lettersOf(text: string | undefined): readonly Letter[] | undefined {
  if (text === undefined) return undefined
  const letters: Letter[] = []
  for (const match of text.matchAll(/\P{ASCII}/gu)) {
    if (letters.length === SAMPLE_LETTERS) break
    const [character] = match
    letters.push({ character, before: text[match.index - 1] ?? ' ', after: text[match.index + character.length] ?? ' ' })
  }
  return letters
}

function likelihoodOf(letters: readonly Letter[], { likelihood, prior, latin }: Writing): number {
  return letters.reduce((sum, letter) => sum + logOf(letter, likelihood, latin), prior)
}

function logOf({ character, before, after }: Letter, likelihood: Writing['likelihood'], latin: boolean): number {
  if (ODD.test(character)) return 2 * UNLIKELY
  const [letterBefore, letterAfter] = [isLetter(before), isLetter(after)]
  if (PUNCTUATION.test(character)) return markOf(character, letterBefore, letterAfter)
  const log = likelihood(character)
  const isSymbol = !/[\p{L}\p{M}]/u.test(character)
  if (isSymbol && log <= UNLIKELY && (letterBefore || letterAfter)) return log + MISPLACED
  // Words do not mix alphabets.
  if (!latin && (/[a-z]/i.test(before) || /[a-z]/i.test(after))) return log + CAPITAL
  if (character === character.toLowerCase()) return log
  if (!letterBefore) return log + CAPITAL
  return log + (before === before.toLowerCase() ? MISPLACED : ALL_CAPITALS)
}

/** No mark but the apostrophe stands within a word, and that one seldom begins it. */
function markOf(character: string, letterBefore: boolean, letterAfter: boolean): number {
  if (character === '’') return letterAfter && !letterBefore ? SELDOM : MARK
  return letterBefore && letterAfter ? UNLIKELY : MARK
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** Letters with accents stand alone among others, or in twos; words of other alphabets, and signs of two bytes each, are longer. */
function alphabetOf(sample: Uint8Array): { readonly latin: boolean; readonly certain: boolean } {
  let [high, letters, inRuns, run] = [0, 0, 0, 0]
  for (const byte of sample) {
    if ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)) letters++
    run = byte >= 0x80 ? run + 1 : 0
    if (run > 0) high++
    if (run === RUN_BYTES) inRuns += RUN_BYTES
    else if (run > RUN_BYTES) inRuns++
  }
  const latin = high < (high + letters) * NOT_LATIN.letters && inRuns < high * NOT_LATIN.runs
  return { latin, certain: high >= CERTAIN_BYTES }
}
