/** Schemas of accounts and their logins. */
import { Type, type Static } from 'typebox'
import { STREAMS_MAX } from '../../domain/accounts/user.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { EmailText } from './sign-in-schemas.ts'
import { Id, Time, named, nameText, nullable, pageOf } from '../server/values-schemas.ts'

const LIBRARIES_MAX = 1000

const Role = Type.Enum(['admin', 'user'])
const LibraryAccess = Type.Enum(['all', 'selected'], { description: '`selected`: only the libraries in `libraryIds`.' })

export const User = named(
  'User',
  Type.Object({
    id: Id,
    email: Type.String(),
    name: Type.String(),
    role: Role,
    enabled: Type.Boolean(),
    libraryAccess: LibraryAccess,
    libraryIds: Type.Array(Id),
    maxConcurrentStreams: nullable(Type.Integer({ minimum: 1, description: 'Maximum number of sessions at once; null: unlimited.' })),
    createdAt: Time,
    updatedAt: Time,
    lastSeenAt: nullable(Type.String({ format: 'date-time', description: 'Approximate time of the last use.' })),
  }),
)
export type UserBody = Static<typeof User>
export const UserPage = pageOf(User)

const login = {
  id: Id,
  userId: Id,
  createdAt: Time,
  updatedAt: Time,
  expiresAt: Time,
  ipAddress: nullable(Type.String({ description: 'Address that signed in.' })),
  userAgent: nullable(Type.String({ description: '`User-Agent` that signed in.' })),
}
export const Login = named('Login', Type.Object(login))
export type LoginBody = Static<typeof Login>

export const UserLogin = named(
  'UserLogin',
  Type.Object({ ...login, accessToken: nullable(Type.String({ description: 'Name of the access token; null: a sign-in.' })) }),
)
export type UserLoginBody = Static<typeof UserLogin>
export const LoginPage = pageOf(UserLogin)

export const AccountName = nameText()
const libraryIds = Type.Array(Id, { maxItems: LIBRARIES_MAX })
const maxConcurrentStreams = nullable(Type.Integer({ minimum: 1, maximum: STREAMS_MAX }))

/** A new password. */
export const NewPassword = Type.String({ minLength: 8, maxLength: 128, format: 'password', examples: ['correct horse'] })

const rights = {
  role: Type.Optional(Role),
  libraryAccess: Type.Optional(LibraryAccess),
  libraryIds: Type.Optional(libraryIds),
  maxConcurrentStreams: Type.Optional(maxConcurrentStreams),
}

export const NewUserBody = Type.Object(
  { email: EmailText, name: AccountName, password: NewPassword, ...rights },
  { examples: [{ email: 'ann@example.org', name: 'Ann', password: 'correct horse', libraryAccess: 'all' }] },
)

export const UserPatchBody = Type.Object(
  { email: Type.Optional(EmailText), name: Type.Optional(AccountName), enabled: Type.Optional(Type.Boolean()), ...rights },
  { examples: [{ name: 'Ann' }] },
)

export const MePatchBody = Type.Object(
  { email: Type.Optional(EmailText), name: Type.Optional(AccountName) },
  { examples: [{ name: 'Ann' }] },
)
export const GrantBody = Type.Object({ libraryAccess: LibraryAccess, libraryIds }, { examples: [{ libraryAccess: 'all', libraryIds: [] }] })
export const PasswordBody = Type.Object({ password: NewPassword })

export const UserListQuery = Type.Object({
  ...PAGE_QUERY,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the e-mail address.' })),
  role: Type.Optional(Role),
  enabled: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Enum(['name', 'createdAt', 'lastSeenAt'], { default: 'name' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: `asc` for names, else `desc`.' })),
})
