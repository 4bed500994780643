/** Refusals about playback sessions. */
import { refuse } from '../refusal.ts'

/** Also used for sessions that the caller may not see. */
export const NO_SUCH_SESSION = refuse('not-found', 'There is no such playback session')
