/** The services of the feeds: what happens now, and what has changed since. */
import { createChanges } from '../app/feed/changes.ts'
import { createEventStreamLimit } from '../app/feed/event-stream-limit.ts'
import { createLiveEvents } from '../app/feed/live-events.ts'
import { createLogPages } from '../app/feed/log-pages.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

export function createFeedServices(foundation: Foundation, { ports, node }: ServiceOptions) {
  const { access, readModels, readYourWrites, sealer } = foundation
  const { clock, leases, log } = ports
  const pages = createLogPages({ clock, log })
  return {
    changes: createChanges({ access, readModels, readYourWrites, pages }),
    eventStreamLimit: createEventStreamLimit({ leases, clock, node }),
    liveEvents: createLiveEvents({ access, clock, readModels, readYourWrites, log, pages, sealer }),
  }
}
