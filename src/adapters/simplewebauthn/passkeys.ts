/** PasskeyChecks with SimpleWebAuthn, which is loaded when somebody first uses a passkey. */
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { JsonObject } from '../../events/envelope.ts'
import type { PasskeyChecks, PasskeyCredential, PasskeySite } from '../../ports/passkeys.ts'

/** Shown by browsers and authenticators. */
const NAME = 'Marquee'
const TIMEOUT_MS = 120_000

const library = () => import('@simplewebauthn/server')

export function createPasskeyChecks(): PasskeyChecks {
  return {
    async creationOptions({ host }, { challenge, userId, account, known }) {
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID: host,
        userName: account,
        userID: new Uint8Array(Buffer.from(userId)),
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: known.map(shown),
        // It is the second factor: the password comes first, so neither a name nor a PIN is asked for.
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
      })
      return plain(options)
    },

    async requestOptions({ host }, { challenge, known }) {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({
        rpID: host,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        allowCredentials: known.map(shown),
        userVerification: 'discouraged',
      })
      return plain(options)
    },

    async created(site, challenge, response) {
      const { verifyRegistrationResponse } = await library()
      const verified = await verifyRegistrationResponse({
        ...expected(site, challenge),
        response: response as unknown as RegistrationResponseJSON,
      }).catch(() => undefined)
      if (!verified?.verified) return undefined
      const { id, publicKey, transports = [] } = verified.registrationInfo.credential
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), transports }
    },

    async isSigned(site, challenge, response, known) {
      const credential = known.find(({ id }) => id === response['id'])
      if (!credential) return false
      const { verifyAuthenticationResponse } = await library()
      const verified = await verifyAuthenticationResponse({
        ...expected(site, challenge),
        response: response as unknown as AuthenticationResponseJSON,
        // Counters are not kept: synchronized passkeys have none.
        credential: { id: credential.id, publicKey: bytesOf(credential.publicKey), counter: 0 },
      }).catch(() => undefined)
      return verified?.verified ?? false
    },
  }
}

const expected = ({ origin, host }: PasskeySite, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: host,
  requireUserVerification: false,
})

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

const shown = ({ id, transports }: PasskeyCredential) => ({ id, transports: transports as AuthenticatorTransport[] })

/** Without members that are undefined. */
const plain = (options: object): JsonObject => JSON.parse(JSON.stringify(options)) as JsonObject
