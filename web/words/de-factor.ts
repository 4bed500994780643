/** German: second factors. */
import type { Words } from './words.ts'

export const factorDe = {
  'factor.hint':
    'Mit einem zweiten Faktor verlangt die Anmeldung einen Code aus einer App auf Ihrem Telefon. Ein gestohlenes Passwort reicht dann nicht.',
  'factor.on': ({ left }) => `Er ist an. Übrige Notfallcodes: ${left}.`,
  'factor.off': 'Er ist aus.',
  'factor.begin': 'Zweiten Faktor einrichten',
  'factor.stop': 'Ausschalten',
  'factor.codes': 'Neue Notfallcodes',
  'factor.scan': 'Lesen Sie dies mit einer Authenticator-App ein, und geben Sie den Code ein, den sie zeigt.',
  'factor.qr': 'QR-Code für Authenticator-Apps',
  'factor.secret': 'Oder geben Sie dieses Geheimnis in die App ein',
  'factor.backup': 'Notfallcodes',
  'factor.backup.hint':
    'Jeder meldet einmal an, wenn Sie das Telefon verlieren. Bewahren Sie sie anderswo auf: Sie werden nie wieder angezeigt.',
  'factor.activate': 'Einschalten',
  'passkey.title': 'Passkeys',
  'passkey.hint': 'Ein Sicherheitsschlüssel oder die Sperre eines Telefons oder Rechners meldet Sie anstelle eines Codes an.',
  'passkey.unknown': 'Dieser Browser kann an dieser Adresse keine Passkeys benutzen: Sie brauchen https.',
  'passkey.add': 'Passkey hinzufügen',
  'passkey.name': 'Name',
  'passkey.remove': 'Entfernen',
  'passkey.remove.label': ({ name }) => `„${name}“ entfernen`,
  'factor.done': 'Der zweite Faktor ist an',
} satisfies Partial<Words>
