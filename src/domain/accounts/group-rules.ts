/** Decides by a person's groups at the identity provider who may sign in, as what, and which libraries they see. */
import type { LibraryAccess, Role } from '../../events/account-events.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import { foldText } from '../../vocabulary/text.ts'

export interface GroupRules {
  /** Groups whose members may sign in; undefined: everybody. */
  readonly users: readonly string[] | undefined
  /** Groups whose members are administrators; undefined: the provider does not decide about roles. */
  readonly admins: readonly string[] | undefined
  /** Libraries of each group, by name or id; undefined: the provider does not decide about libraries. */
  readonly libraries: readonly { readonly group: string; readonly library: string }[] | undefined
}

export interface NamedLibrary {
  readonly id: LibraryId
  readonly name: string
}

/** Absent members stay as they are. */
export interface Granted {
  readonly role?: Role
  readonly libraryAccess?: LibraryAccess
  readonly libraryIds?: readonly LibraryId[]
}

/** Undefined: the person may not sign in. */
export function grantedTo(groups: readonly string[], rules: GroupRules, libraries: Iterable<NamedLibrary>): Granted | undefined {
  const isIn = (group: string) => groups.includes(group)
  const isAdmin = rules.admins?.some(isIn) ?? false
  if (rules.users && !isAdmin && !rules.users.some(isIn)) return undefined
  const role = rules.admins ? { role: isAdmin ? ('admin' as const) : ('user' as const) } : {}
  if (!rules.libraries) return role
  const wanted = rules.libraries.filter(({ group }) => isIn(group)).map(({ library }) => library)
  const isWanted = ({ id, name }: NamedLibrary) => wanted.some((library) => library === id || foldText(library) === foldText(name))
  return { ...role, libraryAccess: 'selected', libraryIds: [...libraries].filter(isWanted).map(({ id }) => id) }
}
