/** Schemas of signing in and out, in the format of better-auth. */
import { Type, type Static } from 'typebox'
import { HIDDEN_IN_ADDRESSES } from '../../domain/accounts/hidden-characters.ts'
import { EMAIL_FORMAT, Id, Time, named, nullable } from '../server/values-schemas.ts'

/** No dot is required, so JSON Schema's own format does not apply: `admin@localhost` is valid. */
const EMAIL = String.raw`^\s*[^@\s${HIDDEN_IN_ADDRESSES}]+@[^@\s${HIDDEN_IN_ADDRESSES}]+\s*$`

/** With the spaces around it. */
const RAW_EMAIL_MAX = 1_000

export const EmailText = Type.String({
  minLength: 3,
  maxLength: RAW_EMAIL_MAX,
  format: EMAIL_FORMAT,
  pattern: EMAIL,
  description: '3 to 254 characters, not counting spaces around it.',
  examples: ['ann@example.org'],
})
export const TriedPassword = Type.String({ minLength: 1, maxLength: 1024, format: 'password' })

export const SignInBody = Type.Object(
  {
    email: EmailText,
    password: TriedPassword,
    rememberMe: Type.Optional(Type.Boolean({ default: true, description: 'Whether the cookie stays when the browser closes.' })),
  },
  { examples: [{ email: 'ann@example.org', password: 'correct horse' }] },
)

/** An account in the format of better-auth. */
export const AuthUser = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum(['admin', 'user']),
  image: nullable(Type.String()),
  emailVerified: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
})

export const SignedIn = named(
  'SignedIn',
  Type.Object({
    redirect: Type.Boolean(),
    token: Type.String({ description: 'Bearer token, valid for 7 days after its last use.' }),
    user: AuthUser,
  }),
)
export type SignedInBody = Static<typeof SignedIn>

/** The password is right; the account asks for a code as well. */
export const SecondStep = named(
  'SecondStep',
  Type.Object({
    twoFactorRedirect: Type.Literal(true),
    challenge: Type.String({ description: 'Send it with a code to `/api/auth/two-factor/verify` within five minutes.' }),
  }),
)

export const SignedOut = named('SignedOut', Type.Object({ success: Type.Boolean() }))
