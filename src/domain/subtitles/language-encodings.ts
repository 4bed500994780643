/** Lists the encodings that subtitles of a language use, and scores how likely a text is in that language. */
import { LATIN_LETTERS, OTHER_LETTERS } from './letter-frequencies.ts'

export interface Writing {
  /** Labels of the WHATWG Encoding Standard, most likely first. */
  readonly encodings: readonly string[]
  /** Logarithm of the likelihood of a character beyond ASCII in such a text; at most 0. */
  readonly likelihood: (character: string) => number
  /** Logarithm of how common files of this writing are without a stated language. */
  readonly prior: number
  /** Whether its letters are mixed with ASCII letters. */
  readonly latin: boolean
}

/** For a letter that no text of the language should contain. */
export const UNLIKELY = Math.log(0.0004)
const COMMON_HAN =
  '的一是不了在有我他这這个個们們来來到时時大地为為子中你说說生国國年着著就那和要她出也得里裡后後自以会會家可下而过過天去能对對小多然于於心' +
  '学學么麼之都好看起发發当當没沒成只如事把还還用第样樣道想作种種开開总總从從无無情己面最女但现現前些所同日手又行意动動方头頭经經长長' +
  '儿兒回位分爱愛老因很给給名法间間知世什两兩次使身者被高已其进進此话話常与與正吗嗎呢吧啊您谁誰怎谢謝请請死杀殺真再走做让讓叫帮幫别別快' +
  '听聽见見找等太打吃钱錢车車门門晚今明早昨博士先生妈媽爸哥姐弟妹朋友喜欢歡应應该該必须須觉覺问問题題关關系係电電话机機工本公司'
const COMMON_HANGUL = '이다는을를에가고지도의어나그아하만니로해있요안내거야게한기'

const WESTERN = 'fr es de pt it nl sv fi da is'.split(' ')
const CENTRAL = 'pl cs sk hu ro hr sq'.split(' ')
const BALTIC = 'lt lv et'.split(' ')

const writings = new Map<string, Writing>([
  ...WESTERN.map((language) => latin(language, ['windows-1252'], language === 'is' ? -3 : 0)),
  ...CENTRAL.map((language) => latin(language, ['windows-1250', 'iso-8859-2'], -1)),
  ...['tr', 'az'].map((language) => latin(language, ['windows-1254'], -1)),
  ...BALTIC.map((language) => latin(language, ['windows-1257', 'iso-8859-13'], -1)),
  latin('vi', ['windows-1258'], -2),
  alphabet('ru', ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5']),
  alphabet('uk', ['windows-1251', 'koi8-u', 'iso-8859-5']),
  alphabet('bg', ['windows-1251', 'iso-8859-5']),
  alphabet('sr', ['windows-1251', 'iso-8859-5']),
  alphabet('el', ['windows-1253', 'iso-8859-7']),
  alphabet('he', ['windows-1255']),
  alphabet('ar', ['windows-1256', 'iso-8859-6']),
  alphabet('fa', ['windows-1256']),
  alphabet('th', ['windows-874']),
  signs(
    'ja',
    ['shift_jis', 'euc-jp'],
    [
      [/[ぁ-ん、。ー…？！]/u, 0.6 / 90],
      [/[ァ-ヶ]/u, 0.15 / 90],
      [/\p{Script=Han}/u, 0.25 / 2000],
    ],
  ),
  signs(
    'ko',
    ['euc-kr'],
    [
      [new RegExp(`[${COMMON_HANGUL}]`, 'u'), 0.35 / COMMON_HANGUL.length],
      [/[가-힣]/u, 0.6 / 900],
    ],
  ),
  chinese('zh', ['gb18030', 'big5']),
  chinese('zh-Hant', ['big5', 'gb18030']),
])
/** Languages that are written like another one; Serbian has two alphabets. */
const LIKE: Readonly<Record<string, readonly string[]>> = {
  sr: ['sr', 'hr'],
  bs: ['hr'],
  sl: ['hr'],
  mk: ['sr'],
  be: ['uk', 'ru'],
  kk: ['ru'],
  ur: ['fa', 'ar'],
  'zh-TW': ['zh-Hant'],
  'zh-HK': ['zh-Hant'],
  no: ['da'],
  nb: ['da'],
  nn: ['da'],
}

/** Writings that are recognized by their letters alone, if the language is unknown. */
export const ALL_WRITINGS: readonly Writing[] = [...writings.values()]

/** The writings of a language (BCP 47); an unlisted language is treated like French or Spanish. */
export function writingsOf(language: string): readonly Writing[] {
  const base = language.split('-', 1)[0] ?? ''
  const names = LIKE[language] ?? LIKE[base] ?? (writings.has(language) ? [language] : writings.has(base) ? [base] : WESTERN)
  return names.flatMap((name) => writings.get(name) ?? [])
}

function latin(language: string, encodings: readonly string[], prior: number): [string, Writing] {
  return [language, { encodings, prior, latin: true, likelihood: byLetters(LATIN_LETTERS[language] ?? '') }]
}

function alphabet(language: string, encodings: readonly string[]): [string, Writing] {
  return [language, { encodings, prior: 0, latin: false, likelihood: byLetters(OTHER_LETTERS[language] ?? '') }]
}

function byLetters(table: string): Writing['likelihood'] {
  const weights = new Map<string, number>()
  for (const [, weight, letters = ''] of table.matchAll(/([\d.]+) (\D+?)(?= |$)/gu)) {
    for (const letter of letters) weights.set(letter, Number(weight))
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return (character) => {
    const weight = weights.get(character) ?? weights.get(character.toLowerCase())
    return weight === undefined ? UNLIKELY : Math.log(weight / all)
  }
}

function chinese(language: string, encodings: readonly string[]): [string, Writing] {
  const common = new Set(COMMON_HAN)
  const likelihood = (character: string): number => {
    if (common.has(character)) return Math.log(0.45 / common.size)
    if (/[，。！？、：…]/u.test(character)) return Math.log(0.01)
    return /\p{Script=Han}/u.test(character) ? Math.log(0.4 / 5000) : 2 * UNLIKELY
  }
  return [language, { encodings, prior: 0, latin: false, likelihood }]
}

function signs(language: string, encodings: readonly string[], classes: readonly (readonly [RegExp, number])[]): [string, Writing] {
  const likelihood = (character: string): number => {
    const found = classes.find(([pattern]) => pattern.test(character))
    return found ? Math.log(found[1]) : 2 * UNLIKELY
  }
  return [language, { encodings, prior: 0, latin: false, likelihood }]
}
