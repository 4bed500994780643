/** The language of the client, and the region whose dates and numbers it writes. */
import { signal } from '@preact/signals-core'

/** BCP 47 tag of the words. */
export const language = signal('en')

/** The first preferred tag of this language, with its region if it has one; the language itself if it is not preferred at all. */
export const localeOf = (tag: string, preferred: readonly string[]): string =>
  preferred.find((one) => one.toLowerCase().split('-')[0] === tag) ?? tag

/** BCP 47 tag of numbers and dates. */
export const locale = (): string => localeOf(language.value, navigator.languages)
