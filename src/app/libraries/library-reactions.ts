/** Reacts to changes of a library: the scan of a removed library ends, and films below a removed root are marked missing. */
import type { RecordedEvent } from '../../events/recorded.ts'
import { libraryStream, movieStream, scanStream } from '../../events/streams.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import { library } from '../../domain/libraries/library.ts'
import { lose, movie, type StillOf } from '../../domain/movies/movie.ts'
import { cancelScan, scan } from '../../domain/scans/scan.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import { filesBelowRemoved } from '../read-models/files-below-roots.ts'

export interface LibraryReactionDependencies {
  readonly access: Access
  readonly commandHandler: CommandHandler
  readonly readModels: Pick<ReadModels, 'fileStamps'>
  readonly readYourWrites: ReadYourWrites
  readonly stillsIn: (libraryId: LibraryId) => Promise<StillOf>
}

/** Concurrent appends: they share the log's commits. */
const APPENDS_WIDTH = 32

/** Repeats what the removal normally does itself, in case it crashed: a running scan notices it at its next append. */
export async function endScanOfRemoved(deps: LibraryReactionDependencies, event: RecordedEvent<'LibraryRemoved'>): Promise<void> {
  const { access, commandHandler, readYourWrites } = deps
  await readYourWrites.waitFor(event.position)
  if (access.libraries.has(event.data.libraryId)) return
  const author = { actor: event.metadata.actor, command: 'cancelScan', causation: event.id }
  await commandHandler.execute({ stream: scanStream(event.data.libraryId), decider: scan }, cancelScan('library-removed'), author)
}

/** Films that another root still holds stay. Nothing is deleted: if the root is added again, the next scan finds the films as they were. */
export async function loseBelowRoot(deps: LibraryReactionDependencies, event: RecordedEvent<'LibraryRootRemoved'>): Promise<void> {
  const { commandHandler, readModels, readYourWrites, stillsIn } = deps
  const { libraryId, path } = event.data
  await readYourWrites.waitFor(event.position)
  const { library: current } = await commandHandler.load({ stream: libraryStream(libraryId), decider: library })
  if (!current) return
  const author = { actor: event.metadata.actor, command: 'removeRoot', causation: event.id }
  const gone = await filesBelowRemoved(readModels, libraryId, { removed: [path], roots: current.roots })
  const stillOf = await stillsIn(libraryId)
  await mapConcurrently(gone, APPENDS_WIDTH, async ({ id, movieId }) => {
    await commandHandler.execute({ stream: movieStream(movieId), decider: movie }, lose(id, stillOf), author)
  })
}
