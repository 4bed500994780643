/**
 * Frequencies of letters beyond ASCII in each language: a weight, then the letters with it. They distinguish a text from one that was
 * decoded wrongly. Rounded from counts of running text; only the proportions within a language matter.
 */

/** Languages with Latin letters, the most widely used first. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  fr: '19 é 5 à 3 è 2.5 ê 1.5 ç 1 ùôîâû 0.3 œïëü',
  es: '8 óí 7 áñ 5 é 2 ú 0.2 ü',
  de: '10 ü 6 ä 4 öß 0.2 é',
  pt: '8 ãç 7 é 5 áí 4 óê 2 õú 1.5 âô 1 à',
  it: '6 èà 3 òùé 2 ì',
  nl: '4 é 3 ë 1 ïèöüó',
  sv: '18 ä 10 öå 0.5 é',
  fi: '36 ä 5 ö 0.2 å',
  da: '9 øåæ 1 é 0.3 ö',
  is: '40 ð 18 á 15 íþ 10 óö 9 æ 6 éú 2 ý',
  pl: '18 ł 11 ę 10 ą 8.5 óż 6.6 ś 4 ć 2 ń 0.6 ź',
  cs: '31 í 22 á 16 ě 13 é 12 ř 10 žýč 8 š 7 ů 1 ú 0.3 óňťď',
  sk: '19 á 15 í 12 č 10 ý 9 éšž 7 ú 5 ľť 2 ôňď 1 äó 0.1 ŕĺ',
  hu: '34 áé 9 óöő 6 ü 5 í 3 ú 1 ű',
  ro: '30 ă 13 şţșț 12 î 8 â',
  hr: '10 čš 6 žć 2.5 đ',
  sq: '30 ë 3 ç',
  tr: '51 ı 18 üş 11 çğ 8 ö 2 İ 0.2 âîû',
  az: '50 ə 20 ı 12 üş 8 öğ 6 ç 2 İ',
  lt: '16 ė 13 ųš 9 ž 7 ą 6 į 5 ū 4 č 3 ę',
  lv: '40 ā 18 ēī 11 š 7 ņ 6 ū 4 ļ 3 žķģč',
  et: '13 ä 12 õ 7 ü 2 ö 0.3 šž',
  // Tone marks are separate characters.
  vi: '30 \u0300\u0301 25 \u0323 24 đ 15 ưô 15 \u0309 10 ê 9 âơ 8 \u0303 6 ă 4 áàó 2 éèíìòúù',
}

const CYRILLIC = '11 о 8.5 еа 7 ин 6 тс 4.6 рвл 3.3 кмдп 2.6 у 1.7 ягзб 1.4 ч 1.1 йх 0.8 жш 0.6 юц 0.3 щф'

/** Languages of other alphabets. */
export const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ru: `${CYRILLIC} 1.8 ыь 0.4 э 0.1 ёъ`,
  uk: `${CYRILLIC} 6 и 5.7 і 1.7 ь 0.6 їє 0.05 ґ`,
  bg: `${CYRILLIC} 1.8 ъ 0.2 ь`,
  sr: `${CYRILLIC} 5 ј 0.8 њљћ 0.3 ђџ`,
  el: '10 α 8 οιετ 6 ν 4.5 σηρπκςυ 3 μλ 2.2 άίό 1.7 έωγδ 1.2 χθή 1 ύώφ 0.6 βξ 0.3 ζψ 0.05 ϊϋΐΰ',
  he: '11 י 10 וה 7.5 ל 6 אתר 5 בשמ 4 נ 3 עם 2.4 דחקכ 1.5 ןפ 1.2 טגזסצ 0.7 ך 0.3 ףץ',
  ar: '14 ا 12 ل 7 ي 6 منو 4.5 رت 4 ه 3.3 بكع 2.7 دأ 2.4 سفقح 1.8 ة 1.2 جذشىصإ،؟ 0.8 طخض 0.5 ءثزغئآ 0.2 ؤظ',
  fa: '14 ا 8 ين 6 ردم 5 وهت 4 ب 3 شک 2.5 سل 2 زگ 1.5 خ 1 قفعچپجح 0.5 غطآص،؟ 0.2 ژضثذظئ',
  th: '7 า 6 นร 4.6 อกเง่ 3.7 ้ยม 3 ัวล 2.5 ีดทสตค 2 ิหะ 1.7 บปแจไ 1.3 ขูุ์พ 1 ใ็ืำชผโ 0.5 ณซศถธึ 0.3 ษญๆฉภฟ 0.05 ฐฏฎฬฮฌฝฑ',
}
