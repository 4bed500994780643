/** The messages for viewers when a subtitle cannot be read. */
import { QueueFull } from '../../../concurrency/semaphore.ts'
import { TextUnreadable } from '../../../ports/text-reader.ts'
import { busy, missing, type Unavailable } from '../segments/unavailable.ts'

const UNREADABLE = missing('The subtitle cannot be read: it takes too long, or too much memory')
const OTHERS_FIRST = busy('Other subtitles are being read: this one is read when it is asked for again', 3)

/** The result, or why it is unavailable. @throws any other error of the reading */
export async function orUnavailable<Read>(reading: Promise<Read>): Promise<Read | Unavailable> {
  try {
    return await reading
  } catch (cause) {
    if (cause instanceof TextUnreadable) return UNREADABLE
    if (cause instanceof QueueFull) return OTHERS_FIRST
    throw cause
  }
}
