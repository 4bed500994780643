/** Single sign-on. The browser goes to the identity provider and comes back; the result is then in the fragment of the address. */
import { signal } from '@preact/signals-core'
import { answerOf, api, valueOf } from '../api/client.ts'
import { thenRefetch, type Context } from './query-client.ts'
import { challenge } from './who.ts'

/** Of signing in at the provider: `link`, or why nobody is signed in. */
export const outcome = signal<string | undefined>(undefined)

const fragment = new URLSearchParams(location.hash.slice(1))
if (fragment.has('challenge') || fragment.has('sign-in')) {
  challenge.value = fragment.get('challenge') ?? undefined
  outcome.value = fragment.get('sign-in') ?? undefined
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Address at which a sign-in at the provider begins; it returns to this page. */
export const beginPath = (query = ''): string =>
  `/api/auth/oidc/start?${query}returnTo=${encodeURIComponent(location.pathname + location.search)}`

const KEY = ['single-sign-on']

export const singleSignOnQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/api/auth/oidc', { signal })),
}

export const linkAccount = (password: string) =>
  thenRefetch(KEY, answerOf<unknown>(api.POST('/api/auth/oidc/link', { body: { password } })))

export const unlinkAccount = () => thenRefetch(KEY, answerOf<unknown>(api.DELETE('/api/auth/oidc/link')))
