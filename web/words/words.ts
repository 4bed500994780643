/**
 * The words of the client in the person's language. The English of most pages is part of the first script, that of others comes with
 * them; other languages are loaded when they are wanted, and have the same keys and parameters by their type.
 */
import { signal } from '@preact/signals-core'
import { language } from './locale.ts'
import { en } from './en.ts'
import type { adminEn } from './en-admin.ts'
import type { auditEn } from './en-audit.ts'
import type { factorEn } from './en-factor.ts'
import type { lifeEn } from './en-life.ts'
import type { matchEn } from './en-match.ts'
import type { nowEn } from './en-now.ts'
import type { pastEn } from './en-past.ts'
import type { playerEn } from './en-player.ts'
import type { reasonsEn } from './en-reasons.ts'
import type { tokensEn } from './en-tokens.ts'
import type { webhooksEn } from './en-webhooks.ts'

export type Phrases = typeof en &
  typeof adminEn &
  typeof auditEn &
  typeof factorEn &
  typeof lifeEn &
  typeof matchEn &
  typeof nowEn &
  typeof pastEn &
  typeof playerEn &
  typeof reasonsEn &
  typeof tokensEn &
  typeof webhooksEn
export type Key = keyof Phrases
/** What every language has to say. */
export type Words = { readonly [K in Key]: Phrases[K] extends (args: infer Args) => string ? (args: Args) => string : string }
type Parameters<K extends Key> = Phrases[K] extends (args: infer Args) => string ? readonly [Args] : readonly []

const OTHERS: Readonly<Record<string, () => Promise<Words>>> = {
  de: async () => (await import('./de.ts')).de,
}
export const LANGUAGES = ['en', ...Object.keys(OTHERS)] as const

/** Grows with the pages that are opened. */
const english = { ...en } as unknown as Words
const words = signal<Words>(english)

/**
 * English phrases of some pages only: their file (`en-*.ts`) calls this when it is loaded. It is imported by the modules that say them, so
 * that it is there before they are drawn. Other languages are loaded whole.
 */
export const addEnglish = (phrases: Partial<Record<Key, unknown>>): unknown => Object.assign(english, phrases)

/** The phrase in the current language. A component that says something is drawn again when the language changes. */
export function say<K extends Key>(key: K, ...args: Parameters<K>): string {
  const phrase: unknown = words.value[key]
  return typeof phrase === 'function' ? String(phrase(args[0])) : String(phrase)
}

/** The phrase of a name that the server gives. A newer server may have names that have no words yet: these are shown as `otherwise` is. */
export const sayKnown = (key: string, otherwise: string): string =>
  Object.hasOwn(words.value, key) ? String(words.value[key as Key]) : otherwise

/** The first language that the client knows of those that the person prefers, the best first. */
export const bestLanguage = (preferred: readonly string[]): string =>
  preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((tag) => (LANGUAGES as readonly string[]).includes(tag)) ?? 'en'

export async function speak(tag: string): Promise<void> {
  words.value = (await OTHERS[tag]?.()) ?? english
  language.value = OTHERS[tag] ? tag : 'en'
}
