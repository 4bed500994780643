/** English numbers of things, for phrases. */
import { locale } from './locale.ts'

const plurals = new Intl.PluralRules('en')

export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString(locale())} ${plurals.select(n) === 'one' ? one : many}`
