import t from 'tap'
import {
  chooseSound,
  chooseSubtitle,
  languageOf,
  NO_CHOICES,
  readChoices,
  rememberSound,
  rememberSubtitle,
  subtitleOptions,
} from '../../../web/player/tracks.ts'

const sound = [
  { index: 0, language: 'en' },
  { index: 1, language: 'de' },
  { index: 2, language: null },
]
const text = (index: number, language: string | null, forced = false) => ({
  index,
  language,
  title: null,
  forced,
  default: false,
  url: `/${index}.vtt`,
})
const options = subtitleOptions({
  subtitles: [text(0, 'en'), text(1, 'de', true), text(2, 'de')],
  burnable: [
    { ...text(0, 'en'), kind: 'text' },
    { ...text(2, 'de'), kind: 'styled' },
    { ...text(5, 'fr'), kind: 'bitmap' },
  ],
})
const subtitle = (choices: object, spoken: string | null, own: readonly string[] = ['en-GB']) =>
  chooseSubtitle(options, { choices: { ...NO_CHOICES, ...choices }, spoken, own })?.id

t.test('texts are offered once as text, and as drawn into the picture only if that differs', (t) => {
  t.strictSame(
    options.map(({ id }) => id),
    ['text-0', 'text-1', 'text-2', 'burn-2', 'burn-5'],
  )
  t.end()
})

t.test('one language has many names', (t) => {
  t.strictSame(['de', 'deu', 'de-AT', 'und', '', null, '???'].map(languageOf), [
    'de',
    'de',
    'de',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  t.end()
})

t.test('the sound is the first of the languages of the person that the film has', (t) => {
  const choose = (audioLanguages: readonly string[], original?: string) =>
    chooseSound(sound, { choices: { ...NO_CHOICES, audioLanguages }, original })
  t.equal(choose(['fr', 'de', 'en']), 1)
  t.equal(choose([]), undefined)
  t.equal(choose(['fr']), undefined)
  t.equal(choose(['original', 'en'], 'deu'), 1)
  t.end()
})

t.test('without a choice subtitles are shown if the sound is foreign to the person, else only those of foreign speech', (t) => {
  t.equal(subtitle({}, 'en'), undefined)
  t.equal(subtitle({}, 'de', ['de']), 'text-1')
  t.equal(subtitle({}, 'fr', ['de-AT', 'en']), 'text-2')
  t.equal(subtitle({ audioLanguages: ['fr'] }, 'fr'), undefined)
  t.equal(subtitle({}, null), undefined)
  t.end()
})

t.test('chosen subtitles are always shown, and those that are off stay off but for foreign speech', (t) => {
  t.equal(subtitle({ subtitles: 'always', subtitleLanguages: ['de'] }, 'en'), 'text-2')
  t.equal(subtitle({ subtitles: 'off' }, 'fr'), undefined)
  t.equal(subtitle({ subtitles: 'off' }, 'de'), 'text-1')
  t.end()
})

t.test('subtitles that must be drawn into the picture are never chosen by themselves', (t) => {
  t.equal(subtitle({ subtitles: 'always', subtitleLanguages: ['fr'] }, 'en'), undefined)
  t.end()
})

t.test('a choice becomes the first of the languages, and the list stays short', (t) => {
  const many = { ...NO_CHOICES, audioLanguages: ['a', 'b', 'c', 'd', 'de'] }
  t.strictSame(rememberSound(many, 'deu').audioLanguages, ['de', 'a', 'b', 'c', 'd'])
  t.strictSame(rememberSound(many, null), many)
  t.strictSame(rememberSubtitle(NO_CHOICES, options[2]), { audioLanguages: [], subtitleLanguages: ['de'], subtitles: 'always' })
  t.equal(rememberSubtitle(NO_CHOICES, undefined).subtitles, 'off')
  t.end()
})

t.test('preferences that another client has written otherwise count as not chosen', (t) => {
  t.strictSame(readChoices({ audioLanguages: ['de', 7], subtitleLanguages: 'en', subtitles: 'maybe' }), {
    ...NO_CHOICES,
    audioLanguages: ['de'],
  })
  t.strictSame(readChoices(undefined), NO_CHOICES)
  t.end()
})
