/** IdentityProvider: an OpenID Connect provider, at which people sign in instead of with a password here. */

/** An account at the provider; `issuer` and `subject` identify it permanently. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** Whether the provider has verified that the address is the person's. */
  readonly emailVerified: boolean
  readonly name: string | null
  readonly groups: readonly string[]
}

/** What the callback is checked against. Each is one word of base64url. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636). */
  readonly codeVerifier: string
}

export interface IdentityProvider {
  /** `url`: where the browser signs in. @throws ProviderAway */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly checks: SignInChecks }>
  /**
   * Who has signed in. `callback`: the redirect URI with the provider's query. `cancelled`: the person or the provider declined. `refused`:
   * the callback or its tokens do not hold. @throws ProviderAway
   */
  complete(callback: URL, checks: SignInChecks): Promise<Identity | 'cancelled' | 'refused'>
}

/** The provider does not answer, or is not set up as this server expects. */
export class ProviderAway extends Error {
  readonly code = 'provider-away'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProviderAway'
  }
}
