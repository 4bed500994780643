/** English numbers of things, for phrases. */
const plurals = new Intl.PluralRules('en')

export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${plurals.select(n) === 'one' ? one : many}`
