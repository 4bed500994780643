/** Which sound and which subtitles a film begins with, by the languages of the person: chosen once, before the first byte. */
import type { Session } from './engine.ts'

/** Kept for the person on all devices. */
export interface LanguageChoices {
  /** Of the sound, the most wanted first; `original` stands for the language in which the film was made. */
  readonly audioLanguages: readonly string[]
  readonly subtitleLanguages: readonly string[]
  /** `auto`: those of foreign speech, and all of them if the sound is in no language of the person. */
  readonly subtitles: 'auto' | 'always' | 'off'
}

export const NO_CHOICES: LanguageChoices = { audioLanguages: [], subtitleLanguages: [], subtitles: 'auto' }

export interface SubtitleOption {
  /** `text-3`, `burn-5`. */
  readonly id: string
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  /** It is drawn into the picture by the server. */
  readonly isBurnt: boolean
  /** Of a text; null if it is burnt. */
  readonly url: string | null
}

/** What can be shown: texts, and what only the server can draw: bitmaps, and texts in their own fonts and places. */
export function subtitleOptions({ subtitles, burnable }: Pick<Session, 'subtitles' | 'burnable'>): readonly SubtitleOption[] {
  const texts = subtitles.map(({ index, language, title, forced, url }) => ({
    id: `text-${index}`,
    index,
    language,
    title,
    forced,
    isBurnt: false,
    url,
  }))
  const isText = (index: number) => subtitles.some((one) => one.index === index)
  const burnt = burnable
    .filter(({ index, kind }) => kind !== 'text' || !isText(index))
    .map(({ index, language, title, forced }) => ({ id: `burn-${index}`, index, language, title, forced, isBurnt: true, url: null }))
  return [...texts, ...burnt]
}

/** `de`, `ger` and `de-AT` are one language. Undefined if nothing is known. */
export function languageOf(tag: string | null | undefined): string | undefined {
  if (tag === null || tag === undefined || tag === '' || tag === 'und') return undefined
  try {
    return new Intl.Locale(tag).language
  } catch {
    return undefined
  }
}

interface Spoken {
  readonly index: number
  readonly language: string | null
}

export interface Wishes {
  readonly choices: LanguageChoices
  /** In which the film was made, as far as is known. */
  readonly original: string | undefined
}

/** Index of the track to begin with; undefined: that which the film plays by itself. */
export function chooseSound(tracks: readonly Spoken[], { choices, original }: Wishes): number | undefined {
  for (const wanted of choices.audioLanguages) {
    const language = languageOf(wanted === 'original' ? original : wanted)
    const track = tracks.find((one) => language !== undefined && languageOf(one.language) === language)
    if (track) return track.index
  }
  return undefined
}

export interface SubtitleWishes {
  readonly choices: LanguageChoices
  /** Of the sound that plays. */
  readonly spoken: string | null | undefined
  /** Languages of the person if nothing was chosen: the browser's. */
  readonly own: readonly string[]
}

/** What to show from the beginning. Burnt ones are never chosen by themselves: they cost the server a transcoding. */
export function chooseSubtitle(options: readonly SubtitleOption[], { choices, spoken, own }: SubtitleWishes): SubtitleOption | undefined {
  const texts = options.filter(({ isBurnt }) => !isBurnt)
  const inLanguage = (language: string | undefined, isForced: boolean) =>
    language === undefined ? undefined : texts.find((one) => one.forced === isForced && languageOf(one.language) === language)
  const first = (isForced: boolean) =>
    wanted(choices.subtitleLanguages, own)
      .map((one) => inLanguage(one, isForced))
      .find((one) => one)
  const heard = languageOf(spoken)
  const ofForeignSpeech = inLanguage(heard, true)
  if (choices.subtitles === 'off') return ofForeignSpeech
  if (choices.subtitles === 'always') return first(false) ?? ofForeignSpeech
  const understood = wanted(choices.audioLanguages.length > 0 ? choices.audioLanguages : choices.subtitleLanguages, own)
  if (heard === undefined || understood.includes(heard) || understood.length === 0) return ofForeignSpeech
  return first(false) ?? ofForeignSpeech
}

const wanted = (chosen: readonly string[], own: readonly string[]): readonly string[] =>
  (chosen.length > 0 ? chosen : own).map(languageOf).filter((one) => one !== undefined)

const MOST_LANGUAGES = 5

/** The choice becomes the first of the list. */
const putFirst = (list: readonly string[], language: string): readonly string[] =>
  [language, ...list.filter((one) => one !== language)].slice(0, MOST_LANGUAGES)

export function rememberSound(choices: LanguageChoices, language: string | null): LanguageChoices {
  const known = languageOf(language)
  return known === undefined ? choices : { ...choices, audioLanguages: putFirst(choices.audioLanguages, known) }
}

export function rememberSubtitle(choices: LanguageChoices, option: SubtitleOption | undefined): LanguageChoices {
  if (!option) return { ...choices, subtitles: 'off' }
  const known = languageOf(option.language)
  const subtitleLanguages = known === undefined ? choices.subtitleLanguages : putFirst(choices.subtitleLanguages, known)
  return { ...choices, subtitles: option.forced ? 'auto' : 'always', subtitleLanguages }
}

/** As another client may have written them: whatever does not fit counts as not chosen. */
export function readChoices(stored: unknown): LanguageChoices {
  const { audioLanguages, subtitleLanguages, subtitles } = Object(stored) as Record<string, unknown>
  const list = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, MOST_LANGUAGES) : []
  const mode = subtitles === 'always' || subtitles === 'off' ? subtitles : 'auto'
  return { audioLanguages: list(audioLanguages), subtitleLanguages: list(subtitleLanguages), subtitles: mode }
}
