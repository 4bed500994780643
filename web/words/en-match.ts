/** English: which film a movie is. */
import { counted as count } from './counted.ts'
import { addEnglish } from './words.ts'

export const matchEn = {
  'match.correct': 'Correct the match…',
  'match.title': ({ title }: { readonly title: string }) => `Which film is “${title}”?`,
  'match.q': 'Title',
  'match.year': 'Year',
  'match.year.hint': 'Only films of this year. Leave it empty if you are not sure.',
  'match.search': 'Search',
  'match.found': ({ count: n }: { readonly count: number }) => count(n, 'film'),
  'match.none': ({ q }: { readonly q: string }) => `No film is called “${q}”`,
  'match.none.hint': 'Try the original title, fewer words, or no year.',
  'match.current': 'Chosen now',
  'match.done': ({ title, film }: { readonly title: string; readonly film: string }) => `“${title}” is now “${film}”`,
} as const

addEnglish(matchEn)
