/**
 * Choices of the person. What belongs to the account is kept by the server, for all devices; what belongs to the device, such as its
 * theme, stays in the browser. Nothing else about a person is stored there.
 */
import { signal } from '@preact/signals-core'
import { api, answerOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { keep, kept } from './device-storage.ts'

/** Kept by the server. Languages are BCP 47 tags; null: as the film has it. */
export interface Preferences {
  readonly audioLanguage?: string | null
  /** `off`: none by itself, but those for foreign words. */
  readonly subtitleLanguage?: string | null
  readonly language?: string | null
}

export const preferences = signal<Preferences>({})

let isLoaded = false

export async function loadPreferences(): Promise<void> {
  const answer = await answerOf(api.GET('/v1/users/me/preferences'))
  if (!answer.ok) return
  isLoaded = true
  preferences.value = answer.value as Preferences
}

/** They were changed on another device: they are refetched. */
export const reloadPreferences = async (): Promise<void> => (isLoaded ? loadPreferences() : undefined)

/** Shown at once; the server's copy follows. */
export async function changePreferences(changes: Preferences): Promise<Answer<unknown>> {
  const before = preferences.value
  preferences.value = { ...before, ...changes }
  const answer = await answerOf(api.PUT('/v1/users/me/preferences', { body: { ...preferences.value } }))
  if (!answer.ok) preferences.value = before
  return answer
}

export const THEMES = ['system', 'dark', 'light'] as const
export type Theme = (typeof THEMES)[number]

const YEAR_SECONDS = 31_536_000
export const theme = signal<Theme>(readTheme())

function readTheme(): Theme {
  const stored = globalThis.document?.documentElement.dataset['theme']
  return THEMES.find((name) => name === stored) ?? 'system'
}

/** A cookie rather than local storage: the server paints the first frame in the right colours. */
export function chooseTheme(choice: Theme): void {
  theme.value = choice
  const root = document.documentElement
  if (choice === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = choice
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const name = meta.dataset['frame']
    meta.media = choice === 'system' ? `(prefers-color-scheme: ${name})` : choice === name ? 'all' : 'not all'
  }
  document.cookie = `theme=${choice}; path=/; max-age=${choice === 'system' ? 0 : YEAR_SECONDS}; samesite=lax`
}

const LETTER_KEYS = 'marquee.letter-keys'

/**
 * Whether keys without a modifier are shortcuts. People who speak to their device, or whose hands hit keys by accident, turn them off. Of
 * this device, and known before anybody is asked.
 */
export const letterKeys = signal(kept(LETTER_KEYS) !== 'off')

export function chooseLetterKeys(isOn: boolean): void {
  letterKeys.value = isOn
  keep(LETTER_KEYS, isOn ? null : 'off')
}
