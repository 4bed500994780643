/** German numbers of things, for phrases. */
import { locale } from './locale.ts'

const plurals = new Intl.PluralRules('de')

export const counted = (n: number, one: string, many = `${one}n`): string =>
  `${n.toLocaleString(locale())} ${plurals.select(n) === 'one' ? one : many}`
