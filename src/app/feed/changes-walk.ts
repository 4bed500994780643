/** Walks through a library that enters or leaves a client's copy, for example because of a grant, one page at a time. */
import type { LibraryId, UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface Change {
  readonly position: Position
  readonly kind: 'upsert' | 'remove'
  readonly type: 'movie' | 'library' | 'userState'
  /** Id of the library or the movie. */
  readonly id: string
}

/** In: the library, its movies, the caller's marks on them. Out: its movies, then the library. */
export interface Walk {
  readonly kind: 'upsert' | 'remove'
  readonly libraryId: LibraryId
  readonly stage: 'library' | 'movies' | 'states'
  /** Last movie of the stage that was sent; empty if none yet. */
  readonly after: string
}

interface Walked {
  readonly changes: readonly Omit<Change, 'position'>[]
  /** Null when the walk is done. */
  readonly next: Walk | null
}

const STAGES: Readonly<Record<Walk['kind'], readonly Walk['stage'][]>> = {
  upsert: ['library', 'movies', 'states'],
  remove: ['movies', 'library'],
}

export async function walkLibrary(
  readModels: Pick<ReadModels, 'movies' | 'ownOf'>,
  walk: Walk,
  { userId, limit }: { readonly userId: UserId; readonly limit: number },
): Promise<Walked> {
  const { kind, libraryId, stage, after } = walk
  const stages = STAGES[kind]
  const following = stages[stages.indexOf(stage) + 1]
  const onward = following ? { ...walk, stage: following, after: '' } : null
  if (stage === 'library') return { changes: [{ kind, type: 'library', id: libraryId }], next: onward }
  const where = [{ field: 'libraryId', op: 'eq', value: libraryId }] as const
  const page = await readModels.movies.find({ where, limit, ...(after === '' ? {} : { after: { value: null, id: after } }) })
  const ids = page.items.map(({ id }) => id)
  const own = stage === 'states' ? await readModels.ownOf(userId, ids) : undefined
  const type = own ? 'userState' : 'movie'
  const changes = ids.filter((id) => !own || own.has(id)).map((id) => ({ kind, type, id }) as const)
  return { changes, next: page.next ? { ...walk, after: page.next.id } : onward }
}
