/** German: access tokens. */
import type { Words } from './words.ts'

export const tokensDe = {
  'tokens.hint': 'Mit einem Zugriffstoken handelt ein Skript oder ein anderes Programm in Ihrem Namen, so lange und so weit Sie wollen.',
  'tokens.none': 'Keine Zugriffstokens',
  'tokens.add': 'Zugriffstoken anlegen',
  'tokens.name': 'Bezeichnung',
  'tokens.name.hint': 'Damit Sie es wiedererkennen, etwa „Haussteuerung“',
  'tokens.days': 'Tage, die es gilt',
  'tokens.scopes': 'Was es darf',
  'tokens.scope.read': 'Lesen, was Sie sehen',
  'tokens.scope.playback': 'Filme abspielen, Markierungen, Positionen und Merkliste setzen',
  'tokens.scope.write': 'Ihre übrigen Daten ändern',
  'tokens.scope.admin': 'Alles, was Administratoren tun',
  'tokens.until': ({ time }) => `gilt bis ${time}`,
  'tokens.used': ({ time }) => `zuletzt benutzt ${time}`,
  'tokens.unused': 'nie benutzt',
  'tokens.revoke': 'Widerrufen',
  'tokens.revoke.label': ({ name }) => `${name} widerrufen`,
  'tokens.shown': 'Bewahren Sie dieses Token auf',
  'tokens.shown.hint': 'Senden Sie es als „Authorization: Bearer …“. Es wird nie wieder angezeigt.',
  'tokens.token': 'Token',
} satisfies Partial<Words>
