import t from 'tap'
import {
  chooseAudio,
  chooseSubtitle,
  languageOf,
  rememberedSubtitle,
  subtitleOptions,
  subtitleToTurnOn,
} from '../../../web/player/tracks.ts'

const audio = [
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
  chooseSubtitle(options, { choices, spoken, own })?.id

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

t.test('the sound is in the language of the person, if the film has it', (t) => {
  t.strictSame(
    ['deu', 'fr', null, undefined].map((audioLanguage) => chooseAudio(audio, { audioLanguage: audioLanguage ?? null })),
    [1, undefined, undefined, undefined],
  )
  t.end()
})

t.test('without a choice subtitles are shown if the sound is foreign to the person, else only those of foreign speech', (t) => {
  t.equal(subtitle({}, 'en'), undefined)
  t.equal(subtitle({}, 'de', ['de']), 'text-1')
  t.equal(subtitle({}, 'fr', ['de-AT', 'en']), 'text-2')
  t.equal(subtitle({ audioLanguage: 'fr' }, 'fr'), undefined)
  t.equal(subtitle({}, null), undefined)
  t.end()
})

t.test('chosen subtitles are always shown, and those that are off stay off but for foreign speech', (t) => {
  t.equal(subtitle({ subtitleLanguage: 'de' }, 'en'), 'text-2')
  t.equal(subtitle({ subtitleLanguage: 'off' }, 'fr'), undefined)
  t.equal(subtitle({ subtitleLanguage: 'off' }, 'de'), 'text-1')
  t.end()
})

t.test('subtitles that must be drawn into the picture are never chosen by themselves', (t) => {
  t.equal(subtitle({ subtitleLanguage: 'fr' }, 'en'), undefined)
  t.end()
})

t.test('what is chosen holds for the next film, and those of foreign speech come by themselves', (t) => {
  t.strictSame([options[2], options[1], undefined].map(rememberedSubtitle), ['de', 'off', 'off'])
  t.end()
})

const turnedOn = (
  tracks: readonly ReturnType<typeof text>[],
  {
    last,
    wanted = null,
    own = [],
    spoken = null,
  }: { last?: string; wanted?: string | null; own?: readonly string[]; spoken?: string | null },
) => {
  const wishes = { choices: { subtitleLanguage: wanted }, last, own, spoken }
  return subtitleToTurnOn(subtitleOptions({ subtitles: [...tracks], burnable: [] }), wishes)?.id
}

t.test('subtitles are turned on in the language chosen last, of the person, of the browser, of the sound, else the first', (t) => {
  const tracks = [text(0, 'fr'), text(1, 'en'), text(2, 'de'), text(3, 'es'), text(4, 'it')]
  const all = { last: 'it', wanted: 'es', own: ['ja', 'de-AT'], spoken: 'eng' }
  t.equal(turnedOn(tracks, all), 'text-4')
  t.equal(turnedOn(tracks, { ...all, last: 'ru' }), 'text-3')
  t.equal(turnedOn(tracks, { ...all, last: 'ru', wanted: 'off' }), 'text-2')
  t.equal(turnedOn(tracks, { own: ['ja'], spoken: 'eng' }), 'text-1')
  t.equal(turnedOn(tracks, {}), 'text-0')
  t.end()
})

t.test('subtitles of foreign speech alone are turned on only if there are no others', (t) => {
  t.equal(turnedOn([text(0, 'de', true), text(1, 'en')], { own: ['de'] }), 'text-1')
  t.equal(turnedOn([text(0, 'de', true), text(1, 'de')], { own: ['de'] }), 'text-1')
  t.equal(turnedOn([text(0, 'en', true), text(1, 'de', true)], { own: ['de'] }), 'text-1')
  t.equal(turnedOn([], { own: ['de'] }), undefined)
  t.end()
})
