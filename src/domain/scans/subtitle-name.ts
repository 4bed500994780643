/**
 * Reads the part of a subtitle file's name after the film's name: `.en`, `.pt-BR.forced`, `.it.sdh`, `.English`, `.de.Director's comments`.
 */
import { languageTag } from '../../vocabulary/language.ts'

export interface SubtitleName {
  readonly language: string | null
  readonly forced: boolean
  readonly default: boolean
  readonly hearingImpaired: boolean
  /** The remaining words. */
  readonly title: string | null
}

const FORCED: ReadonlySet<string> = new Set(['forced', 'foreign'])
const HEARING_IMPAIRED: ReadonlySet<string> = new Set(['sdh', 'cc', 'hoh'])
/** Common names without a language code of their own. */
const CUSTOM: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'pt-BR': 'pob ptb ptbr brazilian',
    'es-419': 'latino latam',
    'zh-Hans': 'chs zhs',
    'zh-Hant': 'cht zht',
    ja: 'jp',
    cs: 'cz',
    el: 'gr',
    da: 'dk',
    uk: 'ua',
    zh: 'cn',
  }).flatMap(([tag, words]) => words.split(' ').map((word) => [word, tag])),
)
/** Suffixes of a language: `Chinese (Simplified)`, `Portuguese (Brazilian)`. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ['zh simplified', 'zh-Hans'],
  ['zh traditional', 'zh-Hant'],
  ['pt brazilian', 'pt-BR'],
  ['pt brazil', 'pt-BR'],
])
/** Names no language. It counts only as the first word, because it means "and" in German titles. */
const UNDETERMINED = 'und'
const MAX_TITLE = 200
/** The longest file name. */
const MOST_CHARACTERS = 255

/** Reads the rest after the film's stem; unknown words become the title. */
export function readSubtitleName(rest: string): SubtitleName {
  let language: string | null = null
  let hearingImpaired = false
  const flags = new Set<string>()
  const left: string[] = []
  for (const word of wordsOf(rest)) {
    const lower = word.toLowerCase()
    const named = languageOf(lower)
    const variant = VARIANTS.get(`${language} ${lower}`)
    // "hi" is Hindi, unless a language precedes it.
    if (variant !== undefined) language = variant
    else if (HEARING_IMPAIRED.has(lower) || (lower === 'hi' && language !== null)) hearingImpaired = true
    else if (FORCED.has(lower)) flags.add('forced')
    else if (lower === 'default') flags.add(lower)
    else if (language === null && named !== null) language = named
    else if (left.length > 0 || language !== null || lower !== UNDETERMINED) left.push(word)
  }
  const title = left.join(' ').slice(0, MAX_TITLE) || null
  return { language, forced: flags.has('forced'), default: flags.has('default'), hearingImpaired, title }
}

/** Reads a name that does not start with the film's: only its last words count, since a title may contain an `it` or a `no`. */
export function readLooseSubtitleName(stem: string): SubtitleName {
  const words = wordsOf(stem)
  const means = (word: string): boolean =>
    HEARING_IMPAIRED.has(word) ||
    FORCED.has(word) ||
    ['default', 'hi', 'simplified', 'traditional', 'brazil'].includes(word) ||
    languageOf(word) !== null
  const last = words.findLastIndex((word) => !means(word.toLowerCase()))
  return readSubtitleName(words.slice(last + 1).join('.'))
}

const isFlag = (word: string): boolean => FORCED.has(word.toLowerCase()) || HEARING_IMPAIRED.has(word.toLowerCase())

/** A language and a region as programs name them: `pt_BR`. */
const REGIONAL = /(?<![\p{L}\p{N}])([a-z]{2})_([a-z]{2})(?![\p{L}\p{N}])/giu

function wordsOf(text: string): readonly string[] {
  const words = text
    .slice(0, MOST_CHARACTERS)
    .replace(REGIONAL, (code, language: string, region: string) =>
      languageOf(language.toLowerCase()) !== null && isRegion(region) ? `${language}-${region}` : code,
    )
    .split(/[.,\s_()[\]{}]+/)
    .flatMap((word) => word.replace(/^-+|-+$/g, '') || [])
  // Splits `English-forced`, but not `pt-BR`.
  return words.flatMap((word) => (languageOf(word.toLowerCase()) === null && word.split('-').some(isFlag) ? word.split('-') : word))
}

/** Two-letter codes, three-letter codes of languages that also have two letters, tags with a script or region, names. */
function languageOf(word: string): string | null {
  const custom = CUSTOM.get(word) ?? namedLanguages().get(word)
  if (custom !== undefined) return custom
  const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/.test(word) ? languageTag(word) : null
  return tag !== null && (/^[a-z]{2}(?:-|$)/.test(tag) || tag === 'fil' || tag === 'yue') ? tag : null
}

/** Whether a word is the name of a language, in English or in itself: `German`, `Deutsch`. */
export const isLanguageName = (word: string): boolean => namedLanguages().has(word.toLowerCase())

let known: ReadonlyMap<string, string> | undefined

/** Names of languages in English and in themselves, lower case; built on first use. */
function namedLanguages(): ReadonlyMap<string, string> {
  known ??= new Map(twoLetterCodes().flatMap((code) => ['en', code].map((locale) => [nameOf(code, locale), code])))
  return known
}

function nameOf(code: string, locale: string): string {
  return (new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code).toLowerCase()
}

let regions: Intl.DisplayNames | undefined

/** `CC` is a region as well, but in these names it means captions. */
function isRegion(code: string): boolean {
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return !isFlag(code) && regions.of(code.toUpperCase()) !== undefined
}

function twoLetterCodes(): readonly string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => languageTag(code) === code)
}
