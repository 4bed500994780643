/** German. */
import type { Words } from './words.ts'
import { playerDe } from './de-player.ts'

const plurals = new Intl.PluralRules('de')
const count = (n: number, one: string, many: string): string => `${n.toLocaleString('de')} ${plurals.select(n) === 'one' ? one : many}`

export const de: Words = {
  ...playerDe,

  'app.name': 'Marquee',
  'app.skip': 'Zum Inhalt',
  'app.nav': 'Hauptmenü',
  'app.account': 'Konto',
  'app.offline': 'Der Server antwortet nicht. Neuer Versuch …',
  'app.stopping': 'Der Server startet neu. Diese Seite macht von selbst weiter.',
  'app.retry': 'Noch einmal versuchen',
  'app.close': 'Schließen',
  'app.cancel': 'Abbrechen',
  'app.save': 'Speichern',
  'app.saved': 'Gespeichert',
  'app.undo': 'Rückgängig',
  'app.loading': 'Wird geladen',
  'app.more': 'Mehr',
  'app.not-found': 'Unter dieser Adresse gibt es nichts',
  'app.not-found.hint': 'Vielleicht wurde es entfernt, oder Sie haben keinen Zugriff darauf.',
  'app.go-home': 'Zur Startseite',
  'app.failed': 'Das konnte nicht geladen werden',
  'app.too-many': ({ seconds }) => `Zu viele Anfragen. Neuer Versuch in ${count(seconds, 'Sekunde', 'Sekunden')}.`,

  'page.home': 'Start',
  'page.films': 'Filme',
  'page.film': 'Film',
  'page.watch': 'Wiedergabe',
  'page.search': 'Suche',
  'page.watchlist': 'Merkliste',
  'page.collections': 'Sammlungen',
  'page.collection': 'Sammlung',
  'page.person': 'Person',
  'page.settings': 'Einstellungen',
  'page.sign-in': 'Anmelden',
  'page.sign-up': 'Konto anlegen',

  'sign-in.email': 'E-Mail',
  'sign-in.password': 'Passwort',
  'sign-in.remember': 'Auf diesem Gerät angemeldet bleiben',
  'sign-in.submit': 'Anmelden',
  'sign-in.new': 'Konto anlegen',
  'sign-in.out': 'Abmelden',
  'sign-in.ended': 'Sie wurden abgemeldet.',
  'sign-in.wrong': 'E-Mail oder Passwort ist falsch.',
  'sign-in.disabled': 'Dieses Konto ist gesperrt. Bitten Sie einen Administrator.',
  'sign-in.locked': ({ seconds }) => `Zu viele Versuche. Neuer Versuch in ${count(Math.ceil(seconds / 60), 'Minute', 'Minuten')}.`,
}
