/** Waits for the views in background tasks: during a large scan the views may be far behind, and these tasks are not urgent. */
import type { Position } from '../../events/position.ts'
import { ViewsBehind, type ReadYourWrites } from './read-your-writes.ts'

/** @throws the signal's reason once it is aborted */
export async function waitForViews({ waitFor }: Pick<ReadYourWrites, 'waitFor'>, position: Position, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await waitFor(position)
    } catch (cause) {
      if (!(cause instanceof ViewsBehind)) throw cause
    }
  }
}
