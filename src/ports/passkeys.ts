/** PasskeyChecks: what browsers are asked for, and whether what authenticators sign is right (Web Authentication Level 3). */
import type { JsonObject } from '../events/envelope.ts'

/** Of this server, as the browser sees it. A passkey works at this host alone. */
export interface PasskeySite {
  /** Scheme, host and port. */
  readonly origin: string
  readonly host: string
}

export type PasskeyCredential = {
  /** base64url. */
  readonly id: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** How the authenticator can be reached: hints for the browser. */
  readonly transports: readonly string[]
}

export interface PasskeyChecks {
  /** For `navigator.credentials.create`, as JSON. `known`: authenticators that have one already are not offered. */
  creationOptions(
    site: PasskeySite,
    asked: { readonly challenge: string; readonly userId: string; readonly account: string; readonly known: readonly PasskeyCredential[] },
  ): Promise<JsonObject>
  /** For `navigator.credentials.get`, as JSON. */
  requestOptions(
    site: PasskeySite,
    asked: { readonly challenge: string; readonly known: readonly PasskeyCredential[] },
  ): Promise<JsonObject>
  /** Undefined: it is no answer to the challenge from this site. */
  created(site: PasskeySite, challenge: string, response: JsonObject): Promise<PasskeyCredential | undefined>
  /** Whether one of the known ones has signed the challenge for this site. */
  isSigned(site: PasskeySite, challenge: string, response: JsonObject, known: readonly PasskeyCredential[]): Promise<boolean>
}
