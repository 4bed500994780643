/** Schemas of single sign-on. */
import { Type } from 'typebox'
import { named, nullable } from '../server/values-schemas.ts'
import { TriedPassword } from './sign-in-schemas.ts'

export const BeginQuery = Type.Object({
  returnTo: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: String.raw`^/(?![/\\])[\x21-\x7e]*$`,
      description: 'Path of the page to show afterwards; default: `/`.',
      examples: ['/watchlist'],
    }),
  ),
  link: Type.Optional(
    Type.Boolean({
      description: 'Sign nobody in, but link the account at the provider with the one that is signed in here.',
      default: false,
    }),
  ),
})

const Word = Type.Optional(Type.String({ maxLength: 4096 }))

/** OAuth 2.0, section 4.1.2, and RFC 9207; a provider may add members. */
export const CallbackQuery = Type.Object({ code: Word, state: Word, iss: Word, error: Word, error_description: Word })

export const SingleSignOnStatus = named(
  'SingleSignOnStatus',
  Type.Object({
    name: nullable(Type.String({ description: 'Name of the identity provider; null: there is none.' })),
    linked: Type.Boolean({ description: 'Whether your account is linked with one there.' }),
  }),
)

export const LinkBody = Type.Object({ password: TriedPassword })
