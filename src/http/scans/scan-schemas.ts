/** Schemas of scans. */
import { Type, type Static } from 'typebox'
import { Count, Id, Time, named, nullable, pageOf } from '../server/values-schemas.ts'

export const Scan = named(
  'Scan',
  Type.Object({
    id: Id,
    libraryId: Id,
    mode: Type.Enum(['incremental', 'full']),
    trigger: Type.Enum(['manual', 'start', 'schedule', 'watcher']),
    startedBy: nullable(Id),
    state: Type.Enum(['queued', 'walking', 'probing', 'matching', 'settling', 'completed', 'failed', 'cancelled', 'interrupted']),
    startedAt: Time,
    finishedAt: nullable(Time),
    progress: Type.Object({
      done: Count,
      total: Count,
      percent: Type.Number({ minimum: 0, maximum: 100 }),
      current: nullable(Type.String({ description: 'Current file.' })),
      etaSeconds: nullable(Count),
    }),
    counts: Type.Object({
      seen: Count,
      added: Count,
      updated: Count,
      moved: Count,
      missing: Count,
      restored: Count,
      unchanged: Count,
      ignored: Count,
      errors: Count,
    }),
    errors: Type.Array(Type.Object({ file: Type.String(), message: Type.String() }), {
      description: 'The first 1,000 errors. `counts.errors` is the number of all errors.',
    }),
    error: nullable(Type.String({ description: 'Why it failed: `root_unavailable`, `io_error` or `internal`.' })),
  }),
)
export type ScanBody = Static<typeof Scan>

export const ScanPage = pageOf(Scan)

export const ScanChange = named(
  'ScanChange',
  Type.Object({
    seq: Type.String({ description: 'Its position in the log.', examples: ['18231'] }),
    at: Time,
    kind: Type.Enum(['added', 'moved', 'replaced', 'missing', 'restored']),
    movieId: Id,
    title: Type.String({ description: 'Current title.' }),
    fileId: Id,
    file: Type.String({ description: 'Path of the file; only its name for users who are not administrators.' }),
  }),
)
export type ScanChangeBody = Static<typeof ScanChange>

export const ScanChangePage = pageOf(ScanChange)

export const NewScanBody = Type.Object(
  {
    mode: Type.Optional(Type.Enum(['incremental', 'full'], { default: 'incremental' })),
    paths: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096, format: 'folder-path' }), {
        minItems: 1,
        maxItems: 50,
        description: 'Folders to scan: absolute paths below a folder of the library. Default: all.',
      }),
    ),
  },
  { examples: [{ mode: 'incremental' }] },
)
