/** Opens the log, the read models and the leases of a cluster, with the adapters that its programs use. */
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { openEventLog, openMessaging, openReadStore } from '../../../src/wiring/adapters.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Leases } from '../../../src/ports/leases.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { ClusterServers } from './servers.ts'

type Servers = Pick<ClusterServers, 'config'>

export async function openClusterLog({ config }: Servers): Promise<EventLog> {
  return (await openEventLog(optionsOf(config))).log
}

export function openClusterStore({ config }: Servers): Promise<{ readonly store: ReadStore; close(): Promise<void> }> {
  return openReadStore(optionsOf(config))
}

export function openClusterLeases({ config }: Servers): Promise<{ readonly leases: Leases; readonly close: () => Promise<void> }> {
  return openMessaging(optionsOf(config))
}

const optionsOf = (config: Servers['config']) => ({
  config,
  clock: createSystemClock(),
  name: 'test',
  onError: (cause: unknown) => console.error(cause),
})
