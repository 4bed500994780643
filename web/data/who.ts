/** Who is signed in. The server says with the page whether anybody is; who it is comes with the first answer. */
import { signal } from '@preact/signals-core'
import type { components } from '../api/schema.d.ts'
import { answerOf, api } from '../api/client.ts'
import { isPassing, type Answer } from '../api/problems.ts'
import { queryClient, whenSignedOut } from './query-client.ts'

export type User = components['schemas']['User']

/** `somebody`: signed in, and not known by name yet. */
export const who = signal<User | 'somebody' | 'nobody'>('nobody')
/** Why the sign-in page is shown, if it was not asked for. */
export const signedOutBecause = signal<'ended' | undefined>(undefined)

export const isSignedIn = (): boolean => who.value !== 'nobody'
export const isAdmin = (): boolean => typeof who.value === 'object' && who.value.role === 'admin'

export const isSomebodyElse = (userId: string): boolean => typeof who.value === 'object' && who.value.id !== userId

const AGAIN_MS = 5000
let isAsking = false

/** Asked for once, if no other answer has brought it. While the server does not answer it is asked again. */
export async function learnWho(): Promise<void> {
  if (isAsking) return
  isAsking = true
  const answer = await answerOf(api.GET('/v1/users/me'))
  isAsking = false
  if (who.value !== 'somebody') return
  if (answer.ok) who.value = answer.value
  else if (isPassing(answer.problem)) setTimeout(() => void learnWho(), (answer.problem.retryAfterSeconds ?? 0) * 1000 || AGAIN_MS)
  else forget('ended')
}

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly rememberMe: boolean
}

/** The second step of signing in, if the account has a second factor: proof of the right password. */
export const challenge = signal<string | undefined>(undefined)

export async function signIn(credentials: Credentials): Promise<Answer<unknown>> {
  const answer = await answerOf(api.POST('/api/auth/sign-in/email', { body: { ...credentials } }))
  if (!answer.ok) return answer
  if ('challenge' in answer.value) challenge.value = answer.value.challenge
  else begin()
  // Only the cookie carries the token: the one in the answer is dropped here.
  return { ok: true, value: undefined, etag: null }
}

export const signInWithCode = (code: string): Promise<Answer<unknown>> =>
  completeSignIn(answerOf(api.POST('/api/auth/two-factor/verify', { body: { challenge: challenge.value ?? '', code } })))

export async function completeSignIn(asking: Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  const answer = await asking
  if (answer.ok) begin()
  // Too old, or the password has changed.
  else if (answer.problem.status === 401) challenge.value = undefined
  return answer
}

export interface NewAccount {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly setupToken?: string
}

export async function signUp(account: NewAccount): Promise<Answer<unknown>> {
  const answer = await answerOf(api.POST('/api/auth/sign-up/email', { body: account }))
  if (answer.ok) begin()
  return answer
}

function begin(): void {
  queryClient.clear()
  signedOutBecause.value = undefined
  challenge.value = undefined
  who.value = 'somebody'
  void learnWho()
}

export async function signOut(): Promise<void> {
  await answerOf(api.POST('/api/auth/sign-out'))
  forget()
}

/** Nothing of the person stays in memory. */
export function forget(because?: 'ended'): void {
  queryClient.clear()
  signedOutBecause.value = because
  who.value = 'nobody'
}

/** The server no longer knows who asks: the login was ended elsewhere, or is too old. */
whenSignedOut(() => isSignedIn() && forget('ended'))
