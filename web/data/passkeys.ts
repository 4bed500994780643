/** Passkeys: another way to pass the second factor. Browsers have them at `https:` and at `localhost`. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { say } from '../words/words.ts'
import { thenRefetch, type Context } from './query-client.ts'
import { challenge, completeSignIn } from './who.ts'

const KEY = ['passkeys']

/** Browsers that know no JSON of passkeys use codes. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

export const passkeysQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/api/auth/passkeys', { signal })),
}

/** What the browser's dialog gives; null: it was closed, or there is no such authenticator. */
const jsonOf = async (asked: Promise<Credential | null>) => {
  const credential = await asked.catch(() => null)
  return credential instanceof PublicKeyCredential ? { ...credential.toJSON() } : null
}

const noneUsed = (): Answer<never> => ({
  ok: false,
  problem: { status: 400, message: say('passkey.none'), fields: {}, retryAfterSeconds: undefined },
})

export async function addPasskey(name: string, password: string): Promise<Answer<unknown>> {
  const prepared = await answerOf(api.POST('/api/auth/passkeys/options', { body: { password } }))
  if (!prepared.ok) return prepared
  const { ticket, options } = prepared.value
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON)
  const response = await jsonOf(navigator.credentials.create({ publicKey }))
  if (!response) return noneUsed()
  return thenRefetch(KEY, answerOf<unknown>(api.POST('/api/auth/passkeys', { body: { ticket, name, response } })))
}

export const removePasskey = (id: string) =>
  thenRefetch(KEY, answerOf<unknown>(api.DELETE('/api/auth/passkeys/{passkeyId}', { params: { path: { passkeyId: id } } })))

/** What a passkey has to sign to complete this sign-in; null: the account has none. */
export const passkeyRequestQuery = (text: string) => ({
  queryKey: ['passkey-request', text],
  queryFn: async ({ signal }: Context) =>
    hasPasskeys() ? (await valueOf(api.POST('/api/auth/two-factor/passkey-options', { body: { challenge: text }, signal }))).options : null,
})

export async function signInWithPasskey(options: object): Promise<Answer<unknown>> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const response = await jsonOf(navigator.credentials.get({ publicKey }))
  if (!response) return noneUsed()
  const body = { challenge: challenge.value ?? '', response }
  return completeSignIn(answerOf(api.POST('/api/auth/two-factor/verify-passkey', { body })))
}
