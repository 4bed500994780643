/** Verification: does every event's hash fit its content and the event before it in its stream? */
import { verifies } from '../events/codec.ts'
import { START } from '../events/position.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { StreamProblem, Verification } from './operator-commands.ts'

const PROBLEMS_MAX = 100
const STEP_EVENTS = 10_000

/** Reads the whole log up to its head as it stands now. `step` gets the number of events so far. */
export async function verifyLog(log: EventLog, step: (events: number) => void, signal: AbortSignal): Promise<Verification> {
  const head = await log.head()
  const tails = new Map<string, { revision: number; hash: string }>()
  const problems: StreamProblem[] = []
  let events = 0
  if (head === START) return { streams: 0, events, problems }
  for await (const batch of log.follow(START, signal)) {
    for (const stored of batch) {
      const tail = tails.get(stored.stream) ?? { revision: -1, hash: '' }
      const { stream, revision, metadata } = stored
      const reason =
        revision !== tail.revision + 1 ? 'An event is missing before it' : verifies(stored, tail.hash) ? undefined : 'Its hash does not fit'
      if (reason && problems.length < PROBLEMS_MAX) problems.push({ stream, revision, reason })
      tails.set(stream, { revision, hash: metadata.hash })
      if (++events % STEP_EVENTS === 0) step(events)
    }
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return { streams: tails.size, events, problems }
}
