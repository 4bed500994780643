/** Refusals about accounts. */
import { refuse } from '../refusal.ts'

/** Also used for accounts that the caller may not see. */
export const NO_SUCH_USER = refuse('not-found', 'There is no such user')
export const LINKED_ALREADY = refuse('conflict', 'This account is linked with another account at the identity provider')
