/** Which sound and which subtitles a film begins with, by the languages of the person: chosen once, before the first byte. */
import type { Session } from './engine.ts'

/** Kept for the person on all devices. Languages are BCP 47 tags; null: as the film has it. */
export interface LanguageChoices {
  readonly audioLanguage?: string | null
  /** `off`: none by itself, but those of foreign speech. */
  readonly subtitleLanguage?: string | null
}

export interface SubtitleOption {
  /** `text-3`, `burn-5`. */
  readonly id: string
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  /** It is drawn into the video by the server. */
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

/** Index of the track to begin with; undefined: that which the film plays by itself. */
export function chooseAudio(tracks: readonly Spoken[], { audioLanguage }: LanguageChoices): number | undefined {
  const wanted = languageOf(audioLanguage)
  return wanted === undefined ? undefined : tracks.find((one) => languageOf(one.language) === wanted)?.index
}

/** Index of the track that plays. Servers before `default` was part of the session leave it out. */
export const soundOf = ({ audio }: Pick<Session, 'audio'>, chosen: number | undefined): number =>
  chosen ??
  Math.max(
    0,
    audio.findIndex((track) => track.default),
  )

export interface SubtitleWishes {
  readonly choices: LanguageChoices
  /** Of the sound that plays. */
  readonly spoken: string | null | undefined
  /** Languages of the browser, the best first. */
  readonly own: readonly string[]
}

/**
 * What to show from the beginning: what was chosen; else, if the sound is in no language of the person, subtitles in one; else those of
 * foreign speech alone. Burnt ones are never chosen by themselves: they cost the server a transcoding.
 */
export function chooseSubtitle(options: readonly SubtitleOption[], { choices, spoken, own }: SubtitleWishes): SubtitleOption | undefined {
  const { audioLanguage, subtitleLanguage = null } = choices
  const texts = options.filter(({ isBurnt }) => !isBurnt)
  const find = (language: string | undefined, isForced: boolean) =>
    language === undefined ? undefined : texts.find((one) => one.forced === isForced && languageOf(one.language) === language)
  const heard = languageOf(spoken)
  const ofForeignSpeech = find(heard, true)
  if (subtitleLanguage === 'off') return ofForeignSpeech
  if (subtitleLanguage !== null) return find(languageOf(subtitleLanguage), false) ?? ofForeignSpeech
  const understood = [audioLanguage ?? null, ...own].map(languageOf).filter((one) => one !== undefined)
  if (heard === undefined || understood.includes(heard)) return ofForeignSpeech
  return understood.map((one) => find(one, false)).find((one) => one) ?? ofForeignSpeech
}

export interface TurnOnWishes extends SubtitleWishes {
  /** Language of the track that the person chose last, in this film or one before. */
  readonly last: string | null | undefined
}

/**
 * What to show if subtitles are turned on without a choice: the language that was chosen last, else one of the person, else that of the
 * sound, else the first track. Tracks of foreign speech alone are taken only if there are no others.
 */
export function subtitleToTurnOn(
  options: readonly SubtitleOption[],
  { choices: { subtitleLanguage }, last, own, spoken }: TurnOnWishes,
): SubtitleOption | undefined {
  const texts = options.filter(({ isBurnt }) => !isBurnt)
  const full = texts.filter(({ forced }) => !forced)
  const offered = full.length > 0 ? full : texts
  const chosen = subtitleLanguage === 'off' ? undefined : subtitleLanguage
  const languages = [last, chosen, ...own, spoken].map(languageOf).filter((one) => one !== undefined)
  const inLanguage = (language: string) => offered.find((one) => languageOf(one.language) === language)
  return languages.map(inLanguage).find((one) => one) ?? offered[0]
}

/** What a choice of subtitles means for films to come; those of foreign speech come by themselves. */
export const rememberedSubtitle = (option: SubtitleOption | undefined): string =>
  !option || option.forced ? 'off' : (languageOf(option.language) ?? 'off')
