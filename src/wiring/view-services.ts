/** Builds the services around the views: which generation of each is read, read-your-writes, and their state for administrators. */
import { collectionOf } from '../../projections/views/view.ts'
import { views } from '../../projections/views/all.ts'
import { createLiveStore } from '../app/consistency/live-store.ts'
import { createProjectionChecksums } from '../app/consistency/projection-checksums.ts'
import { createProjections } from '../app/consistency/projection-report.ts'
import { SNAPSHOTS } from '../app/read-models/snapshots.ts'
import { createReadYourWrites } from '../app/consistency/read-your-writes.ts'
import { createViewGenerations } from '../app/consistency/view-generations.ts'
import type { Ports } from './ports.ts'
import type { Report } from '../ports/report.ts'

/** The live views of this node are not a collection, but read-your-writes waits for them under this name like for one. */
export const IN_MEMORY_VIEWS = 'live-views'

export interface ViewServicesOptions {
  readonly ports: Pick<Ports, 'bus' | 'clock' | 'servers' | 'store'>
  readonly node: string
  readonly onError: Report
}

export function createViewServices({ ports, node, onError }: ViewServicesOptions) {
  const { bus, clock, store } = ports
  const generations = createViewGenerations(ports)
  const liveStore = createLiveStore(store, generations)
  const collections = views.map(collectionOf)
  // If no engine is a server, there is no other process.
  const among = ports.servers.length > 0 ? { node } : {}
  const readYourWrites = createReadYourWrites({ bus, clock, store, collections, generations, own: [IN_MEMORY_VIEWS], ...among })
  const checksums = createProjectionChecksums({ store, clock, onError })
  // Until they are rebuilt, queries about the past fold more of the log.
  const disposable = { snapshots: () => store.drop(SNAPSHOTS.name) }
  const projections = createProjections({ views, heard: readYourWrites.projections, checksums, generations, store, disposable })
  return { generations, liveStore, readYourWrites, projections }
}
