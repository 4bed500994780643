/** Validates names that people choose: accounts and libraries. */
import { characterCount } from '../../vocabulary/character-count.ts'
import { hasHiddenCharacters } from './hidden-characters.ts'
import { refuse, type Refusal } from '../refusal.ts'

/** Characters, without spaces at both ends. */
export const NAME_MAX = 200

export function isNameLength(name: string): boolean {
  const length = characterCount(name.trim())
  return length > 0 && length <= NAME_MAX
}

/** What is wrong with the name; undefined if nothing. */
export function nameFault(name: string): Refusal | undefined {
  if (!isNameLength(name)) return refuse('invalid', `A name has 1 to ${NAME_MAX} characters`, { path: 'name' })
  if (!hasHiddenCharacters(name.trim())) return undefined
  return refuse('invalid', 'A name has no control characters, and none that hide or reverse text', { path: 'name' })
}
