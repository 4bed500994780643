/** Announces on the bus the position of a group of views, the head of the log, and the latency of the last event. */
import { announce, WHO_SUBJECT } from '../../src/app/consistency/projector-announcements.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import { later, type Position } from '../../src/events/position.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { EventLog } from '../../src/ports/event-log.ts'

const EVERY_MS = 1000

export interface Announcer {
  /** Announces at once; `last` is the newest visible event. */
  report(now: { readonly last?: StoredEvent; readonly isLive: boolean }): void
  close(): void
}

export interface AnnouncerDependencies {
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  readonly head: Position
  readonly passed: () => Readonly<Record<string, Position>>
  /** Also called every second. */
  readonly beat: () => void
}

export function createAnnouncer({ bus, clock, log, passed, beat, ...deps }: AnnouncerDependencies): Announcer {
  let { head } = deps
  let lagMs: number | null = null
  let isLive = false
  let isAsking = false

  const announceAgain = (): void => announce(bus, { passed: passed(), head, lagMs, isLive })

  /** If the log does not answer, announces its last known head. */
  async function look(): Promise<void> {
    if (isAsking) return announceAgain()
    isAsking = true
    try {
      head = later(head, await log.head())
    } catch {
      // The projector's log subscription reports the error.
    }
    isAsking = false
    announceAgain()
  }

  const stop = clock.every(EVERY_MS, () => {
    void look()
    beat()
  })
  const asked = bus.subscribe(WHO_SUBJECT, announceAgain)

  return {
    report(now) {
      if (now.last) {
        head = later(head, now.last.position)
        // Clocks of several computers differ slightly.
        lagMs = Math.max(0, clock.now() - Date.parse(now.last.metadata.at))
      }
      isLive = now.isLive
      announceAgain()
    },
    close() {
      stop()
      asked.close()
    },
  }
}
