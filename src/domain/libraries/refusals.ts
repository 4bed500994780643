/** Refusals about libraries. */
import { refuse } from '../refusal.ts'

/** Also used for libraries that the caller may not see. */
export const NO_SUCH_LIBRARY = refuse('not-found', 'There is no such library')
