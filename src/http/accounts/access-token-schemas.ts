/** Schemas of access tokens. */
import { Type, type Static } from 'typebox'
import { Id, named, nameText, refTo, Time } from '../server/values-schemas.ts'
import { nullable } from '../server/values-schemas.ts'
import { TriedPassword } from './sign-in-schemas.ts'

const DAYS_MAX = 366

const Scopes = Type.Array(Type.Enum(['read', 'playback', 'write', 'admin']), {
  minItems: 1,
  maxItems: 4,
  description: `What it may be used for; each includes \`read\`. \`read\`: read what you see. \`playback\`: play, and set marks, positions
and the watchlist. \`write\`: change your other data. \`admin\`: what administrators do, while you are one.`,
})

export const AccessToken = named(
  'AccessToken',
  Type.Object({
    id: Id,
    name: Type.String(),
    scopes: Scopes,
    createdAt: Time,
    expiresAt: Time,
    lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Accurate to a day; null: never used.' })),
  }),
)
export type AccessTokenBody = Static<typeof AccessToken>

export const AccessTokenList = named(
  'AccessTokenList',
  Type.Object({ items: Type.Array(refTo(AccessToken), { description: 'Newest first.' }) }),
)

export const NewAccessToken = named(
  'NewAccessToken',
  Type.Object({
    token: Type.String({ description: 'The token itself, shown only now: `mqt_...`, to be sent as `Authorization: Bearer`.' }),
    accessToken: refTo(AccessToken),
  }),
)

export const NewAccessTokenBody = Type.Object(
  {
    name: nameText(),
    scopes: Scopes,
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 90 })),
    password: TriedPassword,
  },
  { examples: [{ name: 'Home automation', scopes: ['playback'], expiresInDays: 90, password: 'correct horse' }] },
)
