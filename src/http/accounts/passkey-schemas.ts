/** Schemas of passkeys. What browsers take and give is JSON of Web Authentication Level 3 (section 5.1), which this server passes on. */
import { Type } from 'typebox'
import type { JsonObject } from '../../events/envelope.ts'
import { Id, named, VISIBLE } from '../server/values-schemas.ts'
import { TriedPassword } from './sign-in-schemas.ts'

const webAuthn = (description: string) => Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true, description }))
const ByBrowser = webAuthn('`toJSON()` of the `PublicKeyCredential`.')
const Challenge = Type.String({ minLength: 1, maxLength: 512 })
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: VISIBLE, examples: ['Key ring'] })

export const Passkey = named('Passkey', Type.Object({ id: Id, name: Type.String({ examples: ['Key ring'] }) }))

export const NewPasskey = named(
  'NewPasskey',
  Type.Object({
    options: webAuthn('For `PublicKeyCredential.parseCreationOptionsFromJSON`.'),
    ticket: Type.String({ description: 'To be sent back with the new passkey, within five minutes.' }),
  }),
)

export const PasskeyRequest = named(
  'PasskeyRequest',
  Type.Object({
    options: Type.Union([webAuthn('For `PublicKeyCredential.parseRequestOptionsFromJSON`.'), Type.Null()], {
      description: 'Null: the account has no passkey.',
    }),
  }),
)

export const PrepareBody = Type.Object({ password: TriedPassword }, { examples: [{ password: 'correct horse' }] })
export const AddBody = Type.Object({ ticket: Challenge, name: Name, response: ByBrowser })
export const RequestBody = Type.Object({ challenge: Challenge })
export const VerifyPasskeyBody = Type.Object({ challenge: Challenge, response: ByBrowser })
