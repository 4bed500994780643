/** English: second factors. */
import { addEnglish } from './words.ts'

export const factorEn = {
  'factor.hint': 'A second factor asks for a code from an app on your phone when you sign in. A stolen password is then not enough.',
  'factor.on': ({ left }: { readonly left: number }) => `It is on. Recovery codes left: ${left}.`,
  'factor.off': 'It is off.',
  'factor.begin': 'Set up a second factor',
  'factor.stop': 'Turn it off',
  'factor.codes': 'New recovery codes',
  'factor.scan': 'Scan this with an authenticator app, then enter the code that it shows.',
  'factor.qr': 'QR code for authenticator apps',
  'factor.secret': 'Or type this secret into the app',
  'factor.backup': 'Recovery codes',
  'factor.backup.hint': 'Each signs in once if you lose the phone. Keep them elsewhere: they are never shown again.',
  'factor.activate': 'Turn it on',
  'passkey.title': 'Passkeys',
  'passkey.hint': 'A security key, or the lock of a phone or computer, signs you in instead of a code.',
  'passkey.unknown': 'This browser cannot use passkeys at this address: they need https.',
  'passkey.add': 'Add a passkey',
  'passkey.name': 'Name',
  'passkey.remove': 'Remove',
  'passkey.remove.label': ({ name }: { readonly name: string }) => `Remove “${name}”`,
  'factor.done': 'The second factor is on',
} as const

addEnglish(factorEn)
