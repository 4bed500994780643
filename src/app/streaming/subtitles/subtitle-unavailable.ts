/** What viewers are told when a subtitle is not read. */
import { QueueFull } from '../../../concurrency/semaphore.ts'
import { TextUnreadable } from '../../../ports/text-reader.ts'
import { busy, missing, type Unavailable } from '../segments/unavailable.ts'

const UNREADABLE = missing('The subtitle cannot be read: it takes too long, or too much memory')
const OTHERS_FIRST = busy('Other subtitles are being read: this one is read when it is asked for again', 3)

/** What was read, or why it was not. @throws whatever else the reading throws */
export async function orUnavailable<Read>(reading: Promise<Read>): Promise<Read | Unavailable> {
  try {
    return await reading
  } catch (cause) {
    if (cause instanceof TextUnreadable) return UNREADABLE
    if (cause instanceof QueueFull) return OTHERS_FIRST
    throw cause
  }
}
