/** Refusals about movies. */
import { refuse } from '../refusal.ts'

/** Also used for movies that the caller may not see. */
export const NO_SUCH_MOVIE = refuse('not-found', 'There is no such movie')
