/** Engines: the ports with the adapters that the configuration asks for. The only place that chooses adapters. */
import { join } from 'node:path'
import { createFilmTexts } from './adapters/media/film-texts.ts'
import { createDiskSegmentStore } from './adapters/disk/segment-store.ts'
import { createMedia } from './adapters/media/media.ts'
import { createStills } from './adapters/media/stills.ts'
import { createLocalBus } from './adapters/memory/bus.ts'
import { createMemoryCounters } from './adapters/memory/counters.ts'
import { createMemoryLeases } from './adapters/memory/leases.ts'
import { createMemoryReadStore } from './adapters/memory/read-store.ts'
import { createSqliteEventLog } from './adapters/sqlite/event-log.ts'
import { createSqliteOutcomes } from './adapters/sqlite/outcomes.ts'
import { createSqliteReadStore } from './adapters/sqlite/read-store.ts'
import { createSqliteVault } from './adapters/sqlite/vault.ts'
import { createSystemClock } from './adapters/system/clock.ts'
import { filmTextProgram } from './film-text-program.ts'
import { createParcelWatcher } from './adapters/parcel/watcher.ts'
import { createSystemIds } from './adapters/system/ids.ts'
import type { DataFolder } from './data-folder.ts'
import type { Bus } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { Counters } from './ports/counters.ts'
import type { EventLog } from './ports/event-log.ts'
import type { FilmTexts } from './ports/film-texts.ts'
import type { Ids } from './ports/ids.ts'
import type { Leases } from './ports/leases.ts'
import type { Media } from './ports/media.ts'
import type { Outcomes } from './ports/outcomes.ts'
import type { ReadStore } from './ports/read-store.ts'
import type { SegmentStore } from './ports/segment-store.ts'
import type { Stills } from './ports/stills.ts'
import type { Vault } from './ports/vault.ts'
import type { Watcher } from './ports/watcher.ts'

export interface Engines {
  readonly log: EventLog
  readonly store: ReadStore
  /** An empty read store in memory, for what is asked of the past. */
  readonly openScratchStore: () => ReadStore
  readonly vault: Vault
  readonly bus: Bus
  readonly leases: Leases
  readonly counters: Counters
  readonly outcomes: Outcomes
  readonly media: Media
  readonly segments: SegmentStore
  readonly stills: Stills
  readonly texts: FilmTexts
  readonly watcher: Watcher
  readonly clock: Clock
  readonly ids: Ids
  close(): Promise<void>
}

export interface EngineOptions {
  readonly folder: DataFolder
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** Most that segments take on disk. */
  readonly cacheBytes?: number
  readonly problem: (cause: unknown) => void
}

const CACHE_BYTES = 10e9

/** The embedded engines: files in the data folder, everything else in this process. */
export function openEngines({ folder, ffmpegPath, ffprobePath, cacheBytes = CACHE_BYTES, problem }: EngineOptions): Engines {
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: folder.eventLog })
  const store = createSqliteReadStore({ file: folder.readModels })
  const vault = createSqliteVault({ file: folder.vault })
  const outcomes = createSqliteOutcomes({ file: folder.outcomes, clock })
  const bus = createLocalBus({ clock, problem })
  const segments = createDiskSegmentStore({ clock, folder: folder.cache, budgetBytes: cacheBytes, problem })
  // Tokens go on rising over restarts: they fence what older processes left behind.
  const leases = createMemoryLeases({ clock, table: { held: new Map(), token: clock.now() } })
  return {
    log,
    store,
    openScratchStore: createMemoryReadStore,
    vault,
    bus,
    leases,
    counters: createMemoryCounters({ clock }),
    outcomes,
    segments,
    stills: createStills({ ffmpegPath, folder: join(folder.blobs, 'stills') }),
    media: createMedia({ ffprobePath, clock, indexFolder: join(folder.blobs, 'media-index') }),
    texts: createFilmTexts({ clock, folder: join(folder.blobs, 'texts'), start: filmTextProgram(ffmpegPath) }),
    watcher: createParcelWatcher({ clock }),
    clock,
    ids: createSystemIds(),
    async close() {
      await leases.close()
      await bus.close()
      await segments.close()
      await store.close()
      await outcomes.close()
      await vault.close()
      await log.close()
    },
  }
}
