/** Schemas of signing up and of people's own logins and password, in the format of better-auth. */
import { Type, type Static } from 'typebox'
import { AuthUser, EmailText, TriedPassword } from './sign-in-schemas.ts'
import { Login, AccountName, NewPassword } from './user-schemas.ts'
import { Id, named, nullable, refTo } from '../server/values-schemas.ts'

export const SignUpBody = Type.Object({
  name: AccountName,
  email: EmailText,
  password: NewPassword,
  setupToken: Type.Optional(
    Type.String({ maxLength: 1024, description: '`MARQUEE_SETUP_TOKEN`, required for the first account if it is set.' }),
  ),
})

export const SignInOptions = named(
  'SignInOptions',
  Type.Object({
    name: Type.String({ description: 'Name of the server.', examples: ['Marquee'] }),
    signUp: Type.Enum(['off', 'first', 'open'], {
      description: '`first`: there is no account yet, and the first one will be an administrator.',
    }),
    singleSignOn: nullable(Type.String({ description: 'Name of the identity provider; null: there is none.' })),
    needsSetupToken: Type.Boolean({ description: 'Whether signing up requires `setupToken`.' }),
  }),
)

export const SignedUp = named('SignedUp', Type.Object({ token: Type.String({ description: 'Bearer token.' }), user: AuthUser }))

/** The caller's login and account. */
export const CurrentLogin = named('CurrentLogin', Type.Object({ session: refTo(Login), user: AuthUser }))

export const MaybeCurrentLogin = Type.Unsafe<Static<typeof CurrentLogin> | null>({ anyOf: [Type.Ref(CurrentLogin.$id), { type: 'null' }] })

export const RevokeLoginBody = Type.Object({ id: Id })
export const Done = named('Done', Type.Object({ status: Type.Boolean() }))

export const ChangePasswordBody = Type.Object({
  currentPassword: TriedPassword,
  newPassword: NewPassword,
  revokeOtherSessions: Type.Optional(Type.Boolean({ default: false, description: 'Whether all other logins end.' })),
})

export const EraseMeBody = Type.Object({ password: TriedPassword }, { examples: [{ password: 'correct horse' }] })

export const PasswordChanged = named(
  'PasswordChanged',
  Type.Object({ token: nullable(Type.String({ description: 'Null: the current login stays valid.' })), user: AuthUser }),
)
