/** Refusals about movies. */
import { refuse } from '../refusal.ts'

/** Also what callers are told of one that they may not see. */
export const NO_SUCH_MOVIE = refuse('not-found', 'There is no such movie')
