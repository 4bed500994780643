/** Counts what goes through the ports, around their adapters. */
import type { runJob } from '../../transcode-agent/job.ts'
import type { RunJournal } from '../app/streaming/agents/run-journal.ts'
import { NoResponder, ReplyTimeout, type Bus } from '../ports/bus.ts'
import { Conflict, type EventLog } from '../ports/event-log.ts'
import type { Leases } from '../ports/leases.ts'
import type { Meters } from '../ports/meters.ts'
import { ServerUnavailable } from '../ports/server.ts'
import type { Clock } from '../ports/clock.ts'

export function meteredLog(log: EventLog, meters: Meters, clock: Pick<Clock, 'monotonic'>): EventLog {
  return {
    ...log,
    async append(...asked) {
      const beganMs = clock.monotonic()
      const note = (outcome: Parameters<Meters['append']>[0]) => meters.append(outcome, (clock.monotonic() - beganMs) / 1_000)
      try {
        const appended = await log.append(...asked)
        note('stored')
        return appended
      } catch (cause) {
        note(cause instanceof Conflict ? 'conflict' : 'failed')
        throw cause
      }
    },
  }
}

/** For a projector: counts the events that it reads. */
export function meteredProjection(log: EventLog, meters: Meters | undefined): EventLog {
  if (!meters) return log
  return {
    ...log,
    async *follow(after, signal) {
      for await (const batch of log.follow(after, signal)) {
        meters.eventsRead(batch.length)
        yield batch
      }
    },
  }
}

/** For an agent: counts its jobs. */
export function meteredJobs(work: typeof runJob, meters: Meters | undefined): typeof runJob {
  if (!meters) return work
  return (job) => {
    const { output } = job.spec
    meters.agentJob(output.type.startsWith('copy') ? 'copy' : 'encode', output.type === 'encode-video' ? output.encoder : 'none')
    return work(job)
  }
}

export function meteredBus(bus: Bus, meters: Meters): Bus {
  return {
    ...bus,
    async request(...asked) {
      try {
        const answer = await bus.request(...asked)
        meters.busRequest('answered')
        return answer
      } catch (cause) {
        meters.busRequest(outcomeOf(cause))
        throw cause
      }
    },
  }
}

function outcomeOf(cause: unknown): Parameters<Meters['busRequest']>[0] {
  if (cause instanceof NoResponder) return 'no-responder'
  if (cause instanceof ReplyTimeout) return 'timeout'
  return cause instanceof ServerUnavailable ? 'unavailable' : 'aborted'
}

export function meteredLeases(leases: Leases, meters: Meters): Leases {
  return {
    ...leases,
    async acquire(...asked) {
      try {
        const lease = await leases.acquire(...asked)
        meters.lease(lease ? 'taken' : 'held')
        if (lease && !lease.lost.aborted) {
          meters.leasesHeld(1)
          lease.lost.addEventListener('abort', () => meters.leasesHeld(-1), { once: true })
        }
        return lease
      } catch (cause) {
        if (cause instanceof ServerUnavailable) meters.lease('unavailable')
        throw cause
      }
    },
  }
}

/** Audio has no encoder that could fail alone, and a copy has none. */
export function meteredJournal<Journal extends RunJournal>(journal: Journal, meters: Meters): Journal {
  return {
    ...journal,
    assigned(assignment) {
      meters.transcodeBegan(assignment.method, assignment.encoder ?? 'none')
      journal.assigned(assignment)
    },
    ended(jobId, ending) {
      meters.transcodeEnded(ending.end)
      journal.ended(jobId, ending)
    },
  }
}
