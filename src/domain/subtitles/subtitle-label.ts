/** Labels a subtitle in a player's menu. */

export interface LabelledSubtitle {
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly hearingImpaired: boolean
}

/** Its title, else the language's own name, with suffixes that distinguish tracks of the same language. */
export function subtitleLabel({ index, language, title, forced, hearingImpaired }: LabelledSubtitle): string {
  if (title !== null) return title
  const name = language === null ? `Subtitle ${index + 1}` : languageName(language)
  return name + (forced ? ' (forced)' : '') + (hearingImpaired ? ' (SDH)' : '')
}

function languageName(language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' }).of(language) ?? language
  } catch {
    return language
  }
}
