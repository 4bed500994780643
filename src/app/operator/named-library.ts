/** Finds the library that a person names on the command line. */
import type { LibraryId } from '../../vocabulary/id.ts'
import { foldText } from '../../vocabulary/text.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'

/** By id, or by name in any case. Refusals: `not-found`, and `conflict` if several have the name: the first may be the wrong one. */
export function libraryNamed({ libraries }: Pick<Access, 'libraries'>, named: string): LibraryId | Refusal {
  const byId = [...libraries.values()].find(({ id }) => id === named)
  if (byId) return byId.id
  const [found, other] = [...libraries.values()].filter(({ nameKey }) => nameKey === foldText(named))
  if (found && other) return refuse('conflict', `Several libraries are called "${named}": name one by its id`)
  return found?.id ?? refuse('not-found', `There is no library "${named}"`)
}
