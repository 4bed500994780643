/** Waiting for the views by tasks in the background: in the middle of a large scan they may be far behind, and nothing is in a hurry. */
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
