/** Measures a page of the audit of 100,000 events against a page of the movie list, in turns. */
import { audit } from '../../projections/views/audit.ts'
import { movies } from '../../projections/views/movies.ts'
import { userMovies } from '../../projections/views/user-movies.ts'
import { collectionOf, type AnyView } from '../../projections/views/view.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createAuditLog, type AuditFilter } from '../../src/app/audit/audit-log.ts'
import { listMovies } from '../../src/app/movies/movie-list.ts'
import { createReadModels } from '../../src/app/read-models/read-models.ts'
import { toPosition } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { UserId } from '../../src/vocabulary/id.ts'
import { fillViews } from './rebuild.ts'
import { median, wholeNumber, type Report } from './table.ts'

const ROWS = 100_000
const LIMIT = 50
const TIMES = 400
const GOAL = 2

export async function measureAgainstMovies(
  report: Report,
  log: EventLog,
  { file, userId }: { readonly file: string; readonly userId: UserId },
): Promise<void> {
  const store = createSqliteReadStore({ file })
  try {
    const views = [audit, movies, userMovies] as unknown as readonly AnyView[]
    await fillViews({ log, head: toPosition(ROWS), store, views })
    await store.buildIndexes(views.map(collectionOf))
    const readModels = createReadModels(store)
    const libraryIds = [...new Set((await readModels.movies.find({ limit: 1_000 })).items.map(({ libraryId }) => libraryId))]
    const auditLog = createAuditLog({ readModels, sealer: { open: async () => undefined }, nameOf: async () => 'Somebody' })
    const query = { sort: 'title', order: 'asc', limit: LIMIT } as const
    const filters: readonly (readonly [string, AuditFilter, number?])[] = [
      ['the newest', {}, GOAL],
      ['one type', { type: 'PlaybackEnded' }, GOAL],
      // The films are from today, and all later viewings from years ago.
      ['a time, after a clock that was years ahead', { from: '2021-11-05T00:00:00.000Z', to: '2021-12-01T00:00:00.000Z' }],
    ]
    for (const [what, filter, goal] of filters) {
      const [ours, theirs]: [number[], number[]] = [[], []]
      for (let n = 0; n < TIMES; n++) {
        ours.push(await msOf(() => auditLog.list(filter, 'desc', { limit: LIMIT })))
        theirs.push(await msOf(() => listMovies(readModels, { userId, libraryIds }, query)))
      }
      const ratio = median(ours) / median(theirs)
      report({
        what: `${LIMIT} of ${wholeNumber(ROWS)} rows of the audit: ${what}`,
        ours: `p50 ${median(ours).toFixed(2)} ms`,
        yardstick: `p50 ${median(theirs).toFixed(2)} ms (${LIMIT} of the movie list)`,
        ratio,
        ...(goal === undefined ? {} : { goal: `<= ${goal}x`, met: ratio <= goal }),
      })
    }
  } finally {
    await store.close()
  }
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
