/** Schemas of second factors. */
import { Type } from 'typebox'
import { named } from '../server/values-schemas.ts'
import { TriedPassword } from './sign-in-schemas.ts'

const Code = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'Six digits of the authenticator app, or a recovery code.',
  examples: ['123456'],
})
const RecoveryCodes = Type.Array(Type.String(), { description: 'Each signs in once, instead of the app. Shown only now.' })

export const SecondFactorStatus = named(
  'SecondFactorStatus',
  Type.Object({ enabled: Type.Boolean(), backupCodesLeft: Type.Integer({ minimum: 0 }) }),
)

export const NewSecondFactor = named(
  'NewSecondFactor',
  Type.Object({
    totpURI: Type.String({ description: 'What the QR code holds: `otpauth://totp/...`.' }),
    secret: Type.String({ description: 'The secret alone, in base32, for apps without a camera.' }),
    qrCode: Type.Object(
      { size: Type.Integer({ minimum: 1 }), path: Type.String() },
      { description: 'SVG path data of the dark modules in a square of `size` by `size`; leave a margin of 4.' },
    ),
    backupCodes: RecoveryCodes,
  }),
)

export const BackupCodes = named('BackupCodes', Type.Object({ backupCodes: RecoveryCodes }))

export const PasswordOnly = Type.Object({ password: TriedPassword }, { examples: [{ password: 'correct horse' }] })
export const CodeOnly = Type.Object({ code: Code })
export const PasswordAndCode = Type.Object({ password: TriedPassword, code: Code })
export const VerifyBody = Type.Object({ challenge: Type.String({ minLength: 1, maxLength: 512 }), code: Code })
