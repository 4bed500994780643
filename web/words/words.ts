/**
 * The words of the client in the person's language. English is part of the first script; other languages are loaded when they are
 * wanted, and have the same keys and parameters by their type.
 */
import { signal } from '@preact/signals-core'
import { en } from './en.ts'

type Phrases = typeof en
export type Key = keyof Phrases
/** The same phrases in another language. */
export type WordsLike<P> = { readonly [K in keyof P]: P[K] extends (args: infer Args) => string ? (args: Args) => string : string }
/** What every language has to say. */
export type Words = WordsLike<Phrases>
type Parameters<K extends Key> = Phrases[K] extends (args: infer Args) => string ? readonly [Args] : readonly []

const OTHERS: Readonly<Record<string, () => Promise<Words>>> = {
  de: async () => (await import('./de.ts')).de,
}
export const LANGUAGES = ['en', ...Object.keys(OTHERS)] as const

const words = signal<Words>(en)
/** BCP 47 tag of the words and of numbers and dates. */
export const language = signal('en')

/** The phrase in the current language. A component that says something is drawn again when the language changes. */
export function say<K extends Key>(key: K, ...args: Parameters<K>): string {
  const phrase: unknown = words.value[key]
  return typeof phrase === 'function' ? String(phrase(args[0])) : String(phrase)
}

/** The phrase of a name that the server gives. A newer server may have names that have no words yet: these are shown as `otherwise` is. */
export const sayKnown = (key: string, otherwise: string): string => (Object.hasOwn(en, key) ? String(words.value[key as Key]) : otherwise)

/** The first language that the client knows of those that the person prefers, the best first. */
export const bestLanguage = (preferred: readonly string[]): string =>
  preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((tag) => (LANGUAGES as readonly string[]).includes(tag)) ?? 'en'

export async function speak(tag: string): Promise<void> {
  words.value = (await OTHERS[tag]?.()) ?? en
  language.value = OTHERS[tag] ? tag : 'en'
}
