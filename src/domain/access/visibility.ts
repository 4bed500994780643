/**
 * Defines which libraries a user may see. Every list, detail, count, image and stream uses this one rule.
 */
import type { LibraryAccess, Role } from '../../events/account-events.ts'
import type { LibraryId } from '../../vocabulary/id.ts'

export interface Viewer {
  readonly role: Role
  readonly libraryAccess: LibraryAccess
  readonly libraryIds: readonly LibraryId[]
}

export function sees(viewer: Viewer, libraryId: LibraryId): boolean {
  return viewer.role === 'admin' || viewer.libraryAccess === 'all' || viewer.libraryIds.includes(libraryId)
}
