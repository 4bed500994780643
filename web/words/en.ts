/** English, the language that all others follow. A phrase with a number or a name in it is a function. */

import { adminEn } from './en-admin.ts'
import { pastEn } from './en-past.ts'
import { playerEn } from './en-player.ts'

const plurals = new Intl.PluralRules('en')
const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${plurals.select(n) === 'one' ? one : many}`

export const en = {
  ...playerEn,
  ...adminEn,
  ...pastEn,

  // Frame
  'app.name': 'Marquee',
  'app.skip': 'Skip to content',
  'app.nav': 'Main',
  'app.account': 'Account',
  'app.offline': 'The server does not answer. Trying again…',
  'app.stopping': 'The server is restarting. This page goes on by itself.',
  'app.retry': 'Try again',
  'app.close': 'Close',
  'app.cancel': 'Cancel',
  'app.save': 'Save',
  'app.saved': 'Saved',
  'app.undo': 'Undo',
  'app.loading': 'Loading',
  'app.not-found': 'There is nothing at this address',
  'app.not-found.hint': 'It may have been removed, or you may not have access to it.',
  'app.go-home': 'Go to the home page',
  'app.see-films': 'Browse the films',
  'app.old': 'Marquee has been updated. Load this page again.',
  'app.failed': 'This could not be loaded',
  'app.too-many': ({ seconds }: { readonly seconds: number }) =>
    `Too many requests. Trying again in ${count(seconds, 'second', 'seconds')}.`,

  // Pages
  'page.home': 'Home',
  'page.films': 'Films',
  'page.film': 'Film',
  'page.watch': 'Player',
  'page.search': 'Search',
  'page.watchlist': 'Watchlist',
  'page.collections': 'Collections',
  'page.collection': 'Collection',
  'page.person': 'Person',
  'page.settings': 'Settings',
  'page.sign-in': 'Sign in',
  'page.sign-up': 'Create an account',

  // Signing in
  'sign-in.email': 'E-mail',
  'sign-in.password': 'Password',
  'sign-in.remember': 'Stay signed in on this device',
  'sign-in.submit': 'Sign in',
  'sign-in.new': 'Create an account',
  'sign-in.out': 'Sign out',
  'sign-in.ended': 'You have been signed out.',
  'sign-in.wrong': 'E-mail or password is wrong.',
  'sign-in.disabled': 'This account is disabled. Ask an administrator.',
  'sign-in.locked': ({ seconds }: { readonly seconds: number }) =>
    `Too many attempts. Try again in ${count(Math.ceil(seconds / 60), 'minute', 'minutes')}.`,

  // Times and lengths
  'time.minutes': ({ minutes }: { readonly minutes: number }) => `${minutes} min`,
  'time.hours': ({ hours, minutes }: { readonly hours: number; readonly minutes: number }) => `${hours} h ${minutes} min`,

  // Marks
  'mark.watched.done': ({ title }: { readonly title: string }) => `“${title}” is marked as watched`,
  'mark.unwatched.done': ({ title }: { readonly title: string }) => `“${title}” is marked as not watched`,
  'mark.listed.done': ({ title }: { readonly title: string }) => `“${title}” is on your watchlist`,
  'mark.unlisted.done': ({ title }: { readonly title: string }) => `“${title}” is off your watchlist`,
  'mark.dismissed.done': ({ title }: { readonly title: string }) => `“${title}” is off the row to continue watching`,
  'mark.refused': ({ reason }: { readonly reason: string }) => `That was not saved: ${reason}`,

  // Cards
  'card.watched': 'watched',
  'card.left-at': ({ time }: { readonly time: string }) => `left at ${time}`,
  'card.dismiss': ({ title }: { readonly title: string }) => `Take “${title}” off this row`,

  // Home
  'home.continue': 'Continue watching',
  'home.recent': 'Recently added',
  'home.libraries': 'Libraries',
  'home.left': ({ time }: { readonly time: string }) => `${time} left`,
  'home.empty': 'No films yet',
  'home.empty.admin': 'Add a library: a folder of films on this server. They appear here as they are found.',
  'home.empty.user': 'Nothing has been shared with you yet. Ask whoever runs this server.',
  'home.empty.scanning': 'The films are being read',
  'home.empty.scanning.hint': 'They appear here as they are found. You need not reload the page.',

  // Film
  'film.play': 'Play',
  'film.resume': ({ time }: { readonly time: string }) => `Resume at ${time}`,
  'film.start-over': 'Start over',
  'film.watched': 'Watched',
  'film.mark-watched': 'Mark as watched',
  'film.on-watchlist': 'On your watchlist',
  'film.add-to-watchlist': 'Add to watchlist',
  'film.rating': ({ rating }: { readonly rating: number }) => `★ ${rating.toFixed(1)}`,
  'film.missing': 'The file of this film is not there at the moment.',
  'film.audio': 'Audio',
  'film.subtitles': 'Subtitles',
  'film.subtitles-in': ({ languages }: { readonly languages: string }) => `subtitles: ${languages}`,
  'film.studios': 'Studios',
  'film.countries': 'Countries',
  'film.genres': 'Genres',
  'film.cast': 'Cast',
  'film.whole-cast': ({ count: n }: { readonly count: number }) => `Show all ${n}`,
  'film.crew': 'Crew',
  'film.files': ({ count: n }: { readonly count: number }) => (n === 1 ? 'File' : `${n} versions`),
  'film.play-version': 'Play this version',
  'job.Director': 'Director',
  'job.Writer': 'Writer',
  'job.Screenplay': 'Screenplay',
  'job.Producer': 'Producer',
  'job.Original Music Composer': 'Music',

  // Creating an account
  'sign-up.off': 'This server does not take new accounts. Ask its administrator for one.',
  'sign-up.first': 'This is the first account. It administers the server.',
  'sign-up.name': 'Name',
  'sign-up.password-hint': 'At least 8 characters',
  'sign-up.token': 'Setup token',
  'sign-up.token-hint': 'The value of MARQUEE_SETUP_TOKEN on the server',
  'sign-up.have-one': 'I have an account',

  // Film list
  'films.sort': 'Sort by',
  'films.sort.title': 'Title',
  'films.sort.addedAt': 'Date added',
  'films.sort.year': 'Year',
  'films.sort.rating': 'Rating',
  'films.sort.duration': 'Length',
  'films.sort.lastPlayedAt': 'Last played',
  'films.sort.random': 'Random',
  'films.shuffle': 'Shuffle',
  'films.ascending': 'Ascending',
  'films.descending': 'Descending',
  'films.library': 'Library',
  'films.genre': 'Genre',
  'films.year': 'Year',
  'films.resolution': 'Resolution',
  'films.language': 'Language',
  'films.seen': 'Watched',
  'films.watched': 'Watched',
  'films.not-watched': 'Not watched',
  'films.any': 'Any',
  'films.filters': 'Filters',
  'films.clear': 'Clear all filters',
  'films.remove-filter': ({ name }: { readonly name: string }) => `Remove the filter ${name}`,
  'films.count': ({ count: n }: { readonly count: number }) => count(n, 'film', 'films'),
  'films.letters': 'Go to a letter',
  'films.none': 'No film matches',
  'films.none.hint': 'Take a filter away, or choose another one.',

  // Search
  'search.label': 'Search for films and people',
  'search.begin': 'Type the beginning of a title or of a name',
  'search.none': ({ text }: { readonly text: string }) => `Nothing was found for “${text}”`,
  'search.none.hint': 'Each word must be the beginning of a word in the title, or of the name of a person.',
  'search.first': ({ count: n }: { readonly count: number }) => `The first ${n} films`,

  // Lists
  'watchlist.none': 'Your watchlist is empty',
  'watchlist.none.hint': 'Put films on it from their pages, or press L on a film.',
  'collections.watched': ({ watched, count: n }: { readonly watched: number; readonly count: number }) =>
    watched < n ? `${watched} of ${n} watched` : `${count(n, 'film', 'films')}, watched`,
  'collections.none': 'No collections',
  'collections.none.hint': 'Films that name a collection in their .nfo file, or at The Movie Database, appear here.',

  // Settings
  'settings.profile': 'Profile',
  'settings.playback': 'Playback',
  'settings.look': 'Appearance',
  'settings.logins': 'Signed-in devices',
  'settings.data': 'Your data',
  'settings.password': 'Change password',
  'settings.password.current': 'Current password',
  'settings.password.new': 'New password',
  'settings.password.others': 'Sign out everywhere else',
  'settings.password.changed': 'The password has been changed',
  'settings.audio': 'Audio language',
  'settings.audio.original': 'As the film has it',
  'settings.subtitles': 'Subtitles',
  'settings.subtitles.film': 'As the film has them',
  'settings.subtitles.off': 'Off',
  'settings.playback.hint': 'These choices hold on all your devices. What you choose while a film plays is remembered, too.',
  'settings.theme': 'Theme',
  'settings.theme.system': 'As the device',
  'settings.theme.dark': 'Dark',
  'settings.theme.light': 'Light',
  'settings.language': 'Language',
  'settings.letters': 'Single keys are shortcuts',
  'settings.letters.hint':
    'Such as W for watched, or K for pause. Turn them off if you speak to this device, or press keys by accident. Space, arrows and Esc always work.',
  'settings.logins.this': 'This browser',
  'settings.logins.seen': ({ time }: { readonly time: string }) => `last used ${time}`,
  'settings.logins.others': 'Sign out everywhere else',
  'settings.logins.unknown': 'Unknown client',
  'settings.export': 'Download your data',
  'settings.export.hint':
    'Everything that this server knows about you, as NDJSON: account, marks, what you watched, and who did what with your account.',
  'settings.erase': 'Erase this account',
  'settings.erase.hint':
    'Your name, e-mail and everything else that says who you are is destroyed for good. Nobody can bring it back, not even the administrator.',
  'settings.erase.begin': 'Erase this account…',
  'settings.erase.sure': 'Erase your account?',
} as const
