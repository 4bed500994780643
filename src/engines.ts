/** Engines: the ports with the adapters that the configuration asks for. The only place that chooses adapters. */
import { join } from 'node:path'
import { createMedia } from './adapters/media/media.ts'
import { createLocalBus } from './adapters/memory/bus.ts'
import { createMemoryCounters } from './adapters/memory/counters.ts'
import { createMemoryLeases } from './adapters/memory/leases.ts'
import { createSqliteEventLog } from './adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from './adapters/sqlite/read-store.ts'
import { createSqliteVault } from './adapters/sqlite/vault.ts'
import { createSystemClock } from './adapters/system/clock.ts'
import { createSystemIds } from './adapters/system/ids.ts'
import type { DataFolder } from './data-folder.ts'
import type { Bus } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { Counters } from './ports/counters.ts'
import type { EventLog } from './ports/event-log.ts'
import type { Ids } from './ports/ids.ts'
import type { Leases } from './ports/leases.ts'
import type { Media } from './ports/media.ts'
import type { ReadStore } from './ports/read-store.ts'
import type { Vault } from './ports/vault.ts'

export interface Engines {
  readonly log: EventLog
  readonly store: ReadStore
  readonly vault: Vault
  readonly bus: Bus
  readonly leases: Leases
  readonly counters: Counters
  readonly media: Media
  readonly clock: Clock
  readonly ids: Ids
  close(): Promise<void>
}

export interface EngineOptions {
  readonly folder: DataFolder
  readonly ffprobePath: string
  readonly problem: (cause: unknown) => void
}

/** The embedded engines: files in the data folder, everything else in this process. */
export function openEngines({ folder, ffprobePath, problem }: EngineOptions): Engines {
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: folder.eventLog })
  const store = createSqliteReadStore({ file: folder.readModels })
  const vault = createSqliteVault({ file: folder.vault })
  const bus = createLocalBus({ clock, problem })
  // Tokens go on rising over restarts: they fence what older processes left behind.
  const leases = createMemoryLeases({ clock, table: { held: new Map(), token: clock.now() } })
  return {
    log,
    store,
    vault,
    bus,
    leases,
    counters: createMemoryCounters({ clock }),
    media: createMedia({ ffprobePath, clock, indexFolder: join(folder.blobs, 'media-index') }),
    clock,
    ids: createSystemIds(),
    async close() {
      await leases.close()
      await bus.close()
      await store.close()
      await vault.close()
      await log.close()
    },
  }
}
