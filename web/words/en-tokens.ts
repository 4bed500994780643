/** English: access tokens. */
import { addEnglish } from './words.ts'

interface Time {
  readonly time: string
}

export const tokensEn = {
  'tokens.hint': 'An access token lets a script or another program act in your name, for as long and as far as you choose.',
  'tokens.none': 'No access tokens',
  'tokens.add': 'Create an access token',
  'tokens.name': 'Name',
  'tokens.name.hint': 'So that you recognize it, such as “Home automation”',
  'tokens.days': 'Days until it expires',
  'tokens.scopes': 'What it may do',
  'tokens.scope.read': 'Read what you see',
  'tokens.scope.playback': 'Play films, and set marks, positions and the watchlist',
  'tokens.scope.write': 'Change your other data',
  'tokens.scope.admin': 'All that administrators do',
  'tokens.until': ({ time }: Time) => `expires ${time}`,
  'tokens.used': ({ time }: Time) => `last used ${time}`,
  'tokens.unused': 'never used',
  'tokens.revoke': 'Revoke',
  'tokens.revoke.label': ({ name }: { readonly name: string }) => `Revoke ${name}`,
  'tokens.shown': 'Keep this token',
  'tokens.shown.hint': 'Send it as “Authorization: Bearer …”. It is never shown again.',
  'tokens.token': 'Token',
} as const

addEnglish(tokensEn)
