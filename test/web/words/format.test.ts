import t, { type Test } from 'tap'
import { counted as germanCount } from '../../../web/words/de-counted.ts'
import { counted } from '../../../web/words/counted.ts'
import { day, hour } from '../../../web/words/calendar.ts'
import { longDate, moment, number, timeOfDay } from '../../../web/words/format.ts'
import { language, localeOf } from '../../../web/words/locale.ts'

const TIME = '2026-11-25T20:15:00Z'

/** Sets the language of the client and the preferred languages of the browser. */
function speaking(t: Test, tag: string, ...preferred: readonly string[]): void {
  const before = { language: language.value, navigator: Object.getOwnPropertyDescriptor(globalThis, 'navigator') }
  language.value = tag
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: preferred } })
  t.teardown(() => {
    language.value = before.language
    if (before.navigator) Object.defineProperty(globalThis, 'navigator', before.navigator)
  })
}

/** Versions of ICU differ in the kinds of their spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

t.test('the region is that of the first preferred tag of the language of the client', async (t) => {
  t.equal(localeOf('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB')
  t.equal(localeOf('de', ['en-GB', 'de-AT', 'de']), 'de-AT')
  t.equal(localeOf('de', ['DE-ch']), 'DE-ch')
  t.equal(localeOf('de', ['de', 'en-US']), 'de')
  t.equal(localeOf('en', ['fr-FR']), 'en')
  t.equal(localeOf('de', ['den-CA']), 'de', '`den` is Slavey, not German')
})

t.test('a British reader gets British dates and times', async (t) => {
  speaking(t, 'en', 'en-GB', 'en-US', 'en')
  t.equal(plain(moment(TIME, 'UTC')), '25 Nov 2026, 20:15')
  t.equal(timeOfDay(TIME, 'UTC'), '20:15')
  t.match(longDate('2026-11-25'), /^Wednesday,? 25 November 2026$/)
  t.equal(day('2026-11-25'), '25 Nov')
  t.equal(hour(20), '20:00')
})

t.test('an American reader gets American dates and times', async (t) => {
  speaking(t, 'en', 'en-US', 'en')
  t.equal(plain(moment(TIME, 'UTC')), 'Nov 25, 2026, 8:15 PM')
  t.equal(plain(timeOfDay(TIME, 'UTC')), '8:15 PM')
  t.equal(day('2026-11-25'), 'Nov 25')
})

t.test('an Austrian reader gets Austrian months', async (t) => {
  speaking(t, 'de', 'en-GB', 'de-AT', 'de')
  t.equal(day('2026-01-25'), '25. Jän.')
  t.match(longDate('2026-01-25'), /Jänner/)
  t.equal(timeOfDay(TIME, 'UTC'), '20:15')
})

t.test('counts in phrases are written in the region, too', async (t) => {
  speaking(t, 'de', 'de-CH')
  t.equal(germanCount(1234, 'Film', 'Filme'), `${(1234).toLocaleString('de-CH')} Filme`)
  t.not(germanCount(1234, 'Film', 'Filme'), '1.234 Filme')
  t.equal(germanCount(1, 'Minute'), '1 Minute')
  speaking(t, 'en', 'en-IN')
  t.equal(counted(1_234_567, 'film'), '12,34,567 films')
})

t.test('a language without a region, or which the browser does not prefer, is written as usual', async (t) => {
  speaking(t, 'de', 'de', 'en-US')
  t.match(longDate('2026-01-25'), /Januar/)
  t.equal(number(1234.5), '1.234,5')
  speaking(t, 'de', 'en-GB')
  t.match(longDate('2026-01-25'), /Januar/)
})
