/** View `libraries`: one document per library, including the state of its newest scan. */
import type { LibrarySettings, MountPoint, RootDevice } from '../../src/events/library-events.ts'
import type { LibraryId, ScanId } from '../../src/vocabulary/id.ts'
import { foldText } from '../../src/vocabulary/text.ts'
import { operations, type Operation, type View } from './view.ts'

export interface LibraryRoot {
  readonly path: string
  readonly available: boolean
  readonly reason: string | null
  /** Device number of the file system at the last successful scan; null before the first, unless a scan of a root around it has noted it. */
  readonly device: number | null
  /** Folders below it where drives were mounted at that time, if films were there. */
  readonly mountPoints: readonly MountPoint[]
}

export interface LibraryDocument {
  readonly id: LibraryId
  readonly name: string
  /** Case-folded name, for sorting. */
  readonly nameKey: string
  readonly kind: 'movies'
  readonly language: string
  readonly roots: readonly LibraryRoot[]
  readonly settings: LibrarySettings
  readonly scanning: boolean
  /** The scan requested last. */
  readonly scanId: ScanId | null
  readonly lastScan: { readonly id: ScanId; readonly state: ScanEndState; readonly finishedAt: string } | null
  /** When a scan of the whole library was last requested. */
  readonly wholeScanAt: string | null
  /** Null if the library exists. A removed library is visible to nobody. */
  readonly removedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type ScanEndState = 'completed' | 'failed' | 'interrupted' | 'cancelled'

type Change = (library: LibraryDocument) => LibraryDocument

const { put, change } = operations<LibraryDocument>()

export const libraries: View<LibraryDocument> = {
  name: 'libraries',
  version: 3,
  fields: {},
  indexes: [],
  handles: {
    LibraryCreated: ({ data, at }) =>
      put(data.libraryId, {
        id: data.libraryId,
        name: data.name,
        nameKey: foldText(data.name),
        kind: data.kind,
        language: data.language,
        roots: data.roots.map((path) => addedRoot(path, [])),
        settings: data.settings,
        scanning: false,
        scanId: null,
        lastScan: null,
        wholeScanAt: null,
        removedAt: null,
        createdAt: at,
        updatedAt: at,
      }),
    LibraryWentOffline: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({
        ...library,
        roots: library.roots.map((root) => {
          const away = data.roots.find(({ path }) => path === root.path)
          return { ...root, available: !away, reason: away?.reason ?? null }
        }),
      })),
    LibraryCameOnline: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({
        ...library,
        roots: library.roots.map((root) => ({ ...root, available: true, reason: null })),
      })),
    LibraryRenamed: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({ ...library, name: data.name, nameKey: foldText(data.name) })),
    LibraryRootAdded: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({ ...library, roots: [...library.roots, addedRoot(data.path, library.roots)] })),
    LibraryRootRemoved: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({ ...library, roots: library.roots.filter(({ path }) => path !== data.path) })),
    LibrarySettingsChanged: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({ ...library, language: data.language, settings: data.settings })),
    LibraryRemoved: ({ data, at }) => update(data.libraryId, at, (library) => ({ ...library, removedAt: at })),
    LibraryRestored: ({ data, at }) => update(data.libraryId, at, (library) => ({ ...library, removedAt: null })),
    // Set by the request, so that a second request is refused from then on.
    ScanRequested: ({ data, at }) =>
      change(data.libraryId, (library) => ({
        ...library,
        scanning: true,
        scanId: data.scanId,
        wholeScanAt: data.paths === null ? at : library.wholeScanAt,
      })),
    ScanCompleted: ({ data, at }) => scanned(data, 'completed', at, data.devices),
    ScanFailed: ({ data, at }) => scanned(data, 'failed', at),
    ScanInterrupted: ({ data, at }) => scanned(data, 'interrupted', at),
    ScanCancelled: ({ data, at }) => scanned(data, 'cancelled', at),
  },
}

/** Keeps what is known of drives there from a root around it. */
function addedRoot(path: string, roots: readonly LibraryRoot[]): LibraryRoot {
  const known = roots.flatMap(({ mountPoints }) => mountPoints)
  const device = known.find((point) => point.path === path)?.device ?? null
  return { path, available: true, reason: null, device, mountPoints: known.filter((point) => point.path.startsWith(`${path}/`)) }
}

function update(id: LibraryId, at: string, changed: Change): readonly Operation<LibraryDocument>[] {
  return change(id, (library) => ({ ...changed(library), updatedAt: at }))
}

function scanned(
  { libraryId, scanId }: { readonly libraryId: LibraryId; readonly scanId: ScanId },
  state: ScanEndState,
  at: string,
  devices: readonly RootDevice[] = [],
) {
  return change(libraryId, (library) => ({
    ...library,
    // If a newer scan has superseded this one, its end must not end the newer one.
    scanning: library.scanning && library.scanId !== scanId,
    lastScan: { id: scanId, state, finishedAt: at },
    roots: library.roots.map((root) => {
      const found = devices.find(({ path }) => path === root.path)
      return found ? { ...root, device: found.device, mountPoints: found.mountPoints ?? [] } : root
    }),
  }))
}
