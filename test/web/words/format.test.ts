import t, { type Test } from 'tap'
import { day, hour } from '../../../web/words/calendar.ts'
import { longDate, moment, number, timeOfDay } from '../../../web/words/format.ts'
import { language, localeOf } from '../../../web/words/words.ts'

const TIME = '2026-11-25T20:15:00Z'

/** The client speaks the language in a browser that prefers these tags. */
function speaking(t: Test, tag: string, ...preferred: readonly string[]): void {
  const before = { language: language.value, navigator: Object.getOwnPropertyDescriptor(globalThis, 'navigator') }
  language.value = tag
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: preferred } })
  t.teardown(() => {
    language.value = before.language
    if (before.navigator) Object.defineProperty(globalThis, 'navigator', before.navigator)
  })
}

/** Without what differs between versions of the tables of languages: kinds of spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

t.test('the region is that of the first preferred tag of the language of the client', async (t) => {
  t.equal(localeOf('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB')
  t.equal(localeOf('de', ['en-GB', 'de-AT', 'de']), 'de-AT')
  t.equal(localeOf('de', ['DE-ch']), 'DE-ch')
  t.equal(localeOf('de', ['de', 'en-US']), 'de')
  t.equal(localeOf('en', ['fr-FR']), 'en')
  t.equal(localeOf('de', ['den-CA']), 'de', 'Slave is no German')
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

t.test('a language without a region, or which the browser does not prefer, is written as usual', async (t) => {
  speaking(t, 'de', 'de', 'en-US')
  t.match(longDate('2026-01-25'), /Januar/)
  t.equal(number(1234.5), '1.234,5')
  speaking(t, 'de', 'en-GB')
  t.match(longDate('2026-01-25'), /Januar/)
})
