/** View `libraries`: one document a library, with what its newest scan says of it. */
import type { LibrarySettings } from '../src/events/catalogue.ts'
import type { LibraryId, ScanId } from '../src/events/id.ts'
import { foldText } from '../src/events/text.ts'
import { operations, type Operation, type View } from './view.ts'

export interface LibraryRoot {
  readonly path: string
  readonly available: boolean
  readonly reason: string | null
}

export interface LibraryDocument {
  readonly id: LibraryId
  readonly name: string
  /** Folded, for sorting. */
  readonly nameKey: string
  readonly kind: 'movies'
  readonly language: string
  readonly roots: readonly LibraryRoot[]
  readonly settings: LibrarySettings
  readonly scanning: boolean
  readonly lastScan: { readonly id: ScanId; readonly state: 'completed' | 'failed' | 'interrupted'; readonly finishedAt: string } | null
  readonly createdAt: string
  readonly updatedAt: string
}

type Change = (library: LibraryDocument) => LibraryDocument

const { put, change } = operations<LibraryDocument>()

export const libraries: View<LibraryDocument> = {
  name: 'libraries',
  version: 1,
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
        roots: data.roots.map(available),
        settings: data.settings,
        scanning: false,
        lastScan: null,
        createdAt: at,
        updatedAt: at,
      }),
    LibraryWentOffline: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({
        ...library,
        roots: library.roots.map(({ path }) => {
          const away = data.roots.find((root) => root.path === path)
          return { path, available: !away, reason: away?.reason ?? null }
        }),
      })),
    LibraryCameOnline: ({ data, at }) =>
      update(data.libraryId, at, (library) => ({ ...library, roots: library.roots.map(({ path }) => available(path)) })),
    // From the request on: a second one is refused from then.
    ScanRequested: ({ data }) => change(data.libraryId, (library) => ({ ...library, scanning: true })),
    ScanCompleted: ({ data, at }) => scanned(data, 'completed', at),
    ScanFailed: ({ data, at }) => scanned(data, 'failed', at),
    ScanInterrupted: ({ data, at }) => scanned(data, 'interrupted', at),
  },
}

const available = (path: string): LibraryRoot => ({ path, available: true, reason: null })

function update(id: LibraryId, at: string, changed: Change): readonly Operation<LibraryDocument>[] {
  return change(id, (library) => ({ ...changed(library), updatedAt: at }))
}

function scanned(
  scan: { readonly libraryId: LibraryId; readonly scanId: ScanId },
  state: 'completed' | 'failed' | 'interrupted',
  at: string,
) {
  return change(scan.libraryId, (library) => ({
    ...library,
    scanning: false,
    lastScan: { id: scan.scanId, state, finishedAt: at },
  }))
}
