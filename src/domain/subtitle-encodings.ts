/** Which encodings subtitles of a language come in, and by which letters its text can be told. */

export interface Writing {
  /** Labels of the WHATWG Encoding Standard, the most likely first. */
  readonly encodings: readonly string[]
  /** Letters beyond ASCII that its text is full of, and that misread text is not. */
  readonly typical: RegExp
  /** Their usual share of all characters beyond ASCII. */
  readonly share: number
}

const COMMON_HAN =
  '的一是不了在有我他这這个個们們来來到时時大地为為子中你说說生国國年着著就那和要她出也得里裡后後自以会會家可下而过過天去能对對小多然于於心' +
  '学學么麼之都好看起发發当當没沒成只如事把还還用第样樣道想作种種开開总總从從无無情己面最女但现現前些所同日手又行意动動方头頭经經长長' +
  '儿兒回位分爱愛老因很给給名法间間知世什两兩次使身者被高已其进進此话話常与與正吗嗎呢吧啊您谁誰怎'

const WESTERN: Writing = latin(['windows-1252'], 'àâäáãåæçéèêëíìîïñóòôöõøœßúùûüýÿ¿¡«»“”‘’…–—')
const CYRILLIC_LETTERS = /[оеаинтсрвлкмдпуОЕАИНТСРВЛКМДПУ]/gu

const RUSSIAN: Writing = { encodings: ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'], typical: CYRILLIC_LETTERS, share: 0.8 }
const SLAVIC: Writing = { encodings: ['windows-1251', 'koi8-u', 'iso-8859-5'], typical: CYRILLIC_LETTERS, share: 0.75 }
const GREEK: Writing = { encodings: ['windows-1253', 'iso-8859-7'], typical: /[αοειτνσςρπκμλγηάέήίόύώΆΈΉΊΌΎΏ]/gu, share: 0.85 }
const HEBREW: Writing = { encodings: ['windows-1255'], typical: /[יוהלאברשתמנםןד]/gu, share: 0.8 }
const ARABIC: Writing = { encodings: ['windows-1256', 'iso-8859-6'], typical: /[ء-ي،؟پچژگکی]/gu, share: 0.9 }
const THAI: Writing = { encodings: ['windows-874'], typical: /[านรอกเงวมยลสตดทบคปหแจไใ่้ีิืัะู็์ำ]/gu, share: 0.9 }
const JAPANESE: Writing = { encodings: ['shift_jis', 'euc-jp'], typical: /[ぁ-んァ-ヶー。、…]/gu, share: 0.6 }
const KOREAN: Writing = { encodings: ['euc-kr'], typical: /[이다는을를에가고지도의어나그아하만니로해]/gu, share: 0.3 }
const SIMPLIFIED: Writing = { encodings: ['gb18030', 'big5'], typical: new RegExp(`[${COMMON_HAN}]`, 'gu'), share: 0.4 }
const TRADITIONAL: Writing = { ...SIMPLIFIED, encodings: ['big5', 'gb18030'] }
const SOUTH_SLAVIC = central('čćđšž')
const BALTIC = ['windows-1257', 'iso-8859-13']

const BY_LANGUAGE: ReadonlyMap<string, Writing> = new Map(
  Object.entries({
    cs: central('áčďéěíňóřšťúůýž'),
    sk: central('áäčďéíĺľňóôŕšťúýž'),
    pl: central('ąćęłńóśźż'),
    hu: central('áéíóöőúüű'),
    ro: central('ăâîșşțţ'),
    sl: SOUTH_SLAVIC,
    hr: SOUTH_SLAVIC,
    bs: SOUTH_SLAVIC,
    sq: central('çë'),
    tr: latin(['windows-1254'], 'çğıöşüâîİ'),
    az: latin(['windows-1254'], 'çğıöşüəİ'),
    lt: latin(BALTIC, 'ąčęėįšųūž'),
    lv: latin(BALTIC, 'āčēģīķļņšūž'),
    et: latin(BALTIC, 'äõöüšž'),
    vi: latin(['windows-1258'], 'ăâđêôơưàáèéìíòóùúý\u0300\u0301\u0303\u0309\u0323'),
    ru: RUSSIAN,
    uk: SLAVIC,
    be: SLAVIC,
    bg: SLAVIC,
    mk: SLAVIC,
    sr: { ...SLAVIC, encodings: ['windows-1251', 'windows-1250', 'iso-8859-5'], typical: /[оеаинтсрвлкмдпуčćđšž]/giu },
    el: GREEK,
    he: HEBREW,
    ar: ARABIC,
    fa: ARABIC,
    ur: ARABIC,
    th: THAI,
    ja: JAPANESE,
    ko: KOREAN,
    zh: SIMPLIFIED,
    'zh-Hant': TRADITIONAL,
    'zh-TW': TRADITIONAL,
    'zh-HK': TRADITIONAL,
  }),
)

/** Writings that are told by their letters alone, where the language is not known. */
export const FAR_FROM_LATIN: readonly Writing[] = [RUSSIAN, GREEK, ARABIC, HEBREW, THAI, JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL]

/** How a language (BCP 47) is written; western letters for one that is not listed. */
export function writingOf(language: string): Writing {
  return BY_LANGUAGE.get(language) ?? BY_LANGUAGE.get(language.split('-', 1)[0] ?? '') ?? WESTERN
}

function central(letters: string): Writing {
  return latin(['windows-1250', 'iso-8859-2'], `${letters}“”„’…–—`)
}

function latin(encodings: readonly string[], letters: string): Writing {
  return { encodings, typical: new RegExp(`[${letters}]`, 'giu'), share: 0.9 }
}
