/**
 * Choices of the person. What belongs to the account is kept by the server, for all devices; what belongs to the device, such as its
 * theme, stays in the browser. Nothing else about a person is stored there.
 */
import { signal } from '@preact/signals-core'
import { api, answerOf, valueOf } from '../api/client.ts'
import { NO_ANSWER, RequestFailed, type Answer } from '../api/problems.ts'
import { keep, kept } from './device-storage.ts'
import { queryClient, type Context } from './query-client.ts'

/** Kept by the server. Languages are BCP 47 tags; null: as the film has it. */
export interface Preferences {
  readonly audioLanguage?: string | null
  /** `off`: none by itself, but those for foreign words. */
  readonly subtitleLanguage?: string | null
  readonly language?: string | null
}

const KEY = ['preferences']

/** Loaded once for each person; events make them stale. */
export const preferencesQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/me/preferences', { signal })) as Promise<Preferences>,
  gcTime: Infinity,
  // A film does not wait for them to begin.
  retry: false,
}

/** Empty until they are loaded. */
export const preferences = (): Preferences => queryClient.getQueryData<Preferences>(KEY) ?? {}

/**
 * Shown at once; the server's copy follows. The server keeps them as a whole, so that they are loaded before: without the others, a change
 * would erase them.
 */
export async function changePreferences(changes: Preferences): Promise<Answer<unknown>> {
  try {
    const before = await queryClient.fetchQuery(preferencesQuery)
    const shown = queryClient.setQueryData<Preferences>(KEY, { ...before, ...changes })
    const answer = await answerOf(api.PUT('/v1/users/me/preferences', { body: { ...shown } }))
    // Unless they are another person's by now, or were changed again.
    if (!answer.ok) queryClient.setQueryData<Preferences>(KEY, (now) => (now === shown ? before : now))
    return answer
  } catch (cause) {
    return { ok: false, problem: cause instanceof RequestFailed ? cause.problem : NO_ANSWER }
  }
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
