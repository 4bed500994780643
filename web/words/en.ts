/** English, the language that all others follow. A phrase with a number or a name in it is a function. */

import { playerEn } from './en-player.ts'

const plurals = new Intl.PluralRules('en')
const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${plurals.select(n) === 'one' ? one : many}`

export const en = {
  ...playerEn,

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
  'app.more': 'More',
  'app.not-found': 'There is nothing at this address',
  'app.not-found.hint': 'It may have been removed, or you may not have access to it.',
  'app.go-home': 'Go to the home page',
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
} as const
