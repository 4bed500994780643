import t from 'tap'
import { distinctNames, foldText, foundWords, searchWords, sortKey } from '../../src/vocabulary/text.ts'

t.test('case, diacritics, compatibility forms and white space are folded', async (t) => {
  t.equal(foldText('  Le Fabuleux  DESTIN d’Amélie\tPoulain '), 'le fabuleux destin d’amelie poulain')
  t.equal(foldText('Ame\u0301lie'), foldText('Amélie'), 'composed or not')
  t.equal(foldText('ＡＫＩＲＡ ﬁn'), 'akira fin')
  t.equal(foldText('İstanbul'), 'istanbul')
  t.equal(foldText('ΌΝΕΙΡΟ'), foldText('όνειρο'))
  t.equal(foldText('Straße, Øre, ŁÓDŹ, Ægir'), 'strasse, ore, lodz, aegir', 'letters with a stroke, and joined ones')
  t.equal(foldText('Ёлки'), foldText('елки'))
  t.equal(foldText('שָׁלוֹם'), foldText('שלום'), 'points that one may leave out')
})

t.test('signs that make another word of it are no diacritics', async (t) => {
  t.not(foldText('दिल'), foldText('दल'), 'Devanagari vowels')
  t.not(foldText('தீ'), foldText('தா'), 'Tamil vowels')
  t.not(foldText('กี'), foldText('กู'), 'Thai vowels')
  t.not(foldText('パス'), foldText('バス'), 'Kana: pass and bus')
  t.not(foldText('한'), foldText('하'), 'Hangul')
})

t.test('names that differ only in case or diacritics are one: the first', async (t) => {
  t.strictSame(distinctNames(['Drama', 'Komödie', 'drama', 'KOMODIE', 'War']), ['Drama', 'Komödie', 'War'])
})

t.test('a sort key drops one leading article and never becomes empty', async (t) => {
  t.equal(sortKey('The Third Man'), 'third man')
  t.equal(sortKey('A Man Escaped'), 'man escaped')
  t.equal(sortKey('An Autumn Afternoon'), 'autumn afternoon')
  t.equal(sortKey('Theorem'), 'theorem')
  t.equal(sortKey('A'), 'a')
  t.equal(sortKey('The A'), 'a')
  t.equal(sortKey('Über'), 'uber')
})

t.test('search words are folded, without punctuation, each once', async (t) => {
  t.strictSame(searchWords(['M: Eine Stadt', null, 'eine STADT sucht', '']), ['m', 'eine', 'stadt', 'sucht'])
  t.strictSame(searchWords(['Wall·E', '12 Angry Men']), ['wall', 'e', '12', 'angry', 'men'])
  t.equal(searchWords(['दिल चाहता है']).length, 3, 'a vowel sign does not part a word')
})

t.test('words are also found without the punctuation in them', async (t) => {
  t.strictSame(foundWords(['Ocean’s Eleven', null, 'M*A*S*H']), ['ocean', 's', 'eleven', 'oceans', 'm', 'a', 'h', 'mash'])
  t.strictSame(foundWords(['3:10 to Yuma', 'Spider-Man', '']), ['3', '10', 'to', 'yuma', '310', 'spider', 'man', 'spiderman'])
})

t.test('a text without letters and digits is searched by its symbols, and found by those that stand alone', async (t) => {
  t.strictSame(searchWords(['$', null]), ['$'])
  t.strictSame(searchWords(['\u2764\ufe0f  …']), ['\u2764', '...'])
  t.strictSame(searchWords([' \t', '', null]), [])
  t.strictSame(searchWords(['Amélie 😀 !!!']), ['amelie'], 'beside words they do not count')
  t.strictSame(foundWords(['!!!', '*batteries & co.*']), ['!!!', 'batteries', 'co', '&'])
  t.strictSame(foundWords(['Amélie 😀 Party']), ['amelie', 'party', '😀'])
})
