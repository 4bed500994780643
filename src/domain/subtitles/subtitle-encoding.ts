/** Decodes the bytes of a subtitle file without a stated encoding. */
import { letterKinds, type LetterKind } from './letter-kinds.ts'
import { ALL_WRITINGS, UNLIKELY, writingsOf, type Writing } from './language-encodings.ts'
import { decodeStrict, decodeUnicode } from './byte-encodings.ts'

/** Sample sizes for detecting the encoding. */
const SAMPLE_BYTES = 65_536
const SAMPLE_LETTERS = 3000
/** Share of high bytes among letters, and of those in longer runs, above which a text is not in a Latin alphabet. */
const NOT_LATIN = { letters: 0.5, runs: 0.5 }
const RUN_BYTES = 4
const CERTAIN_BYTES = 30
/** Punctuation beyond ASCII, common to all languages. */
const PUNCTUATION = /[“”„‘’‚‹›…–—«»¡¿°•♪♫·©®™€£\u00a0]/u
/** Control characters, half-width katakana, private use: frequent in wrongly decoded text. */
const ODD = /(?!\s)\p{Cc}|[\uff61-\uff9f\ufffd]|\p{Co}/u
const MARK = Math.log(0.02)
const SELDOM = Math.log(0.004)
/** Penalty per encoding of the language that is more common. */
const LESS_USUAL = -1.5
/** A capital at the start of a word, after another capital, and after a small letter. */
const CAPITAL = Math.log(0.15)
const ALL_CAPITALS = Math.log(0.7)
const MISPLACED = Math.log(0.02)

/**
 * Tries Unicode first, then the encodings of the language (BCP 47, from the file's name), then detects the language by its letters. Always
 * returns a text: garbage for bytes that are no text.
 */
export function decodeSubtitle(bytes: Uint8Array, language: string | null): string {
  const unicode = decodeUnicode(bytes)
  if (unicode !== undefined) return unicode
  const label = encodingOf(bytes.subarray(0, SAMPLE_BYTES), language)
  // Vietnamese files store tone marks separately.
  return new TextDecoder(label).decode(bytes).normalize('NFC')
}

function encodingOf(sample: Uint8Array, language: string | null): string {
  const { latin, certain } = alphabetOf(sample)
  // The language in the name may be wrong, but alphabets can be distinguished only in a long enough text.
  const possible = (writing: Writing): boolean => !certain || writing.latin === latin
  const likely = language === null ? undefined : best(sample, writingsOf(language).filter(possible))
  return likely ?? best(sample, ALL_WRITINGS.filter(possible)) ?? 'windows-1252'
}

/** The encoding with the most likely text; undefined if none fits. */
function best(sample: Uint8Array, writings: readonly Writing[]): string | undefined {
  const texts = new Map<string, readonly ScoredLetter[] | undefined>()
  const traits = createTraits()
  let found: { readonly label: string; readonly score: number } | undefined
  for (const writing of writings) {
    for (const [rank, label] of writing.encodings.entries()) {
      if (!texts.has(label)) texts.set(label, lettersOf(decodeSample(sample, label), traits))
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

/** Properties that do not depend on the language. */
interface Traits {
  readonly isOdd: boolean
  readonly isMark: boolean
  readonly isSymbol: boolean
  readonly isCapital: boolean
}

type ScoredLetter = LetterKind & Traits

/** The same few characters appear in many encodings: each is examined once. */
function createTraits(): (character: string) => Traits {
  const known = new Map<string, Traits>()
  return (character) => {
    const found = known.get(character) ?? {
      isOdd: ODD.test(character),
      isMark: PUNCTUATION.test(character),
      isSymbol: !/[\p{L}\p{M}]/u.test(character),
      isCapital: character !== character.toLowerCase(),
    }
    known.set(character, found)
    return found
  }
}

function lettersOf(text: string | undefined, traits: (character: string) => Traits): readonly ScoredLetter[] | undefined {
  return text === undefined ? undefined : letterKinds(text, SAMPLE_LETTERS).map((kind) => ({ ...kind, ...traits(kind.character) }))
}

function likelihoodOf(letters: readonly ScoredLetter[], { likelihood, prior, latin }: Writing): number {
  return letters.reduce((sum, letter) => sum + letter.count * logOf(letter, likelihood, latin), prior)
}

function logOf(letter: ScoredLetter, likelihood: Writing['likelihood'], latin: boolean): number {
  const { character, before, after } = letter
  if (letter.isOdd) return 2 * UNLIKELY
  if (letter.isMark) return markOf(character, before.isLetter, after.isLetter)
  const log = likelihood(character)
  if (letter.isSymbol && log <= UNLIKELY && (before.isLetter || after.isLetter)) return log + MISPLACED
  // Words do not mix alphabets.
  if (!latin && (before.isAsciiLetter || after.isAsciiLetter)) return log + CAPITAL
  if (!letter.isCapital) return log
  if (!before.isLetter) return log + CAPITAL
  return log + (before.isCapital ? ALL_CAPITALS : MISPLACED)
}

/** Within a word only an apostrophe is likely, and it rarely starts one. */
function markOf(character: string, letterBefore: boolean, letterAfter: boolean): number {
  if (character === '’') return letterAfter && !letterBefore ? SELDOM : MARK
  return letterBefore && letterAfter ? UNLIKELY : MARK
}

/** Accented Latin letters occur alone or in pairs; words of other alphabets, and two-byte characters, form longer runs. */
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
