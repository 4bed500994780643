/** Why a person sees no film at all. Pure. */
import type { components } from '../api/schema.d.ts'

type Library = Pick<components['schemas']['Library'], 'state' | 'missingCount'>

export type WhyNoMovies =
  /** There is no library, or none that the person may see. */
  | { readonly type: 'nothing-shared' }
  /** A scan runs, or is about to. */
  | { readonly type: 'scanning' }
  | { readonly type: 'missing'; readonly count: number }
  | { readonly type: 'not-found' }

export function whyNoMovies(libraries: readonly Library[]): WhyNoMovies {
  if (libraries.length === 0) return { type: 'nothing-shared' }
  if (libraries.some(({ state }) => state === 'scanning')) return { type: 'scanning' }
  const count = libraries.reduce((sum, { missingCount }) => sum + missingCount, 0)
  return count > 0 ? { type: 'missing', count } : { type: 'not-found' }
}
