/** Tracks imported watches of one user and one movie: each item counts once, and an import can be undone as a whole. */
import type { EventData } from '../../events/catalogue.ts'
import type { ImportOutcome } from '../../events/history-events.ts'
import type { ImportId, MovieId, UserId, ViewingId } from '../../vocabulary/id.ts'
import type { Decision } from '../decider.ts'

/** An item that was imported and not undone. */
export interface ImportedWatch {
  readonly viewingId: ViewingId
  readonly importId: ImportId
  /** The program it came from. */
  readonly source: string
  readonly watchedAt: string
  readonly plays: number
  readonly isLeft: boolean
  /** Whether it marks the movie as watched: it was seen to its end, and the user has not changed the mark since. */
  readonly marks: boolean
}

/** The part of the state of a user and a movie that imports read and change. */
export interface ImportableState {
  readonly watchedAt: string | null
  /** Set by the user. */
  readonly markedAt: string | null
  readonly playCount: number
  readonly imports: readonly ImportedWatch[]
}

/** Bounds the list for a movie that plays as background noise for years: the newest items are kept. */
const REMEMBERED = 5000

type Imported = EventData['WatchImported']

export function withImported<State extends ImportableState>(state: State, imported: Omit<Imported, 'outcome'>): State {
  const { viewingId, importId, source, watchedAt, plays, left } = imported
  const isLeft = left !== null
  const imports = [...state.imports, { viewingId, importId, source, watchedAt, plays, isLeft, marks: !isLeft }].slice(-REMEMBERED)
  return { ...state, imports, watchedAt: watchedBy(state.markedAt, imports), playCount: state.playCount + plays }
}

export function withoutImport<State extends ImportableState>(state: State, { importId, outcome }: EventData['WatchImportUndone']): State {
  const { watchedAt, playCount } = outcome
  return { ...state, imports: state.imports.filter((one) => one.importId !== importId), watchedAt, playCount }
}

/** The same items, none of which marks the movie any more. */
export const withoutMarks = (imports: readonly ImportedWatch[]): readonly ImportedWatch[] =>
  imports.map((one) => ({ ...one, marks: false }))

export interface ImportableWatch {
  readonly watch: Omit<Imported, 'outcome'>
  /** Its plays are the total up to then: only those that this source has not imported yet are added. */
  readonly isTally: boolean
}

/** Imports the items that were not imported yet. */
export const importWatches =
  (items: readonly ImportableWatch[]) =>
  (before: ImportableState): Decision => {
    const known = new Set(before.imports.map(({ viewingId }) => viewingId))
    let state = before
    return items.flatMap(({ watch, isTally }) => {
      const plays = watch.plays - (isTally ? playsFrom(state, watch.source) : 0)
      if (known.has(watch.viewingId) || (isTally && plays <= 0)) return []
      known.add(watch.viewingId)
      const data = { ...watch, plays }
      const after = withImported(state, data)
      const event = { type: 'WatchImported', data: { ...data, outcome: outcomeOf(after), ...sameMark(state, after) } } as const
      state = after
      return [event]
    })
  }

const playsFrom = ({ imports }: ImportableState, source: string): number =>
  imports.reduce((sum, one) => sum + (one.source === source ? one.plays : 0), 0)

export const undoImport =
  (mark: { readonly userId: UserId; readonly movieId: MovieId }, importId: ImportId) =>
  (state: ImportableState): Decision => {
    const { gone = [], stay = [] } = Object.groupBy(state.imports, (one) => (one.importId === importId ? 'gone' : 'stay'))
    if (gone.length === 0) return []
    const playCount = state.playCount - gone.reduce((sum, { plays }) => sum + plays, 0)
    const after = { watchedAt: watchedBy(state.markedAt, stay), playCount, imports: stay }
    const data = {
      ...mark,
      importId,
      viewingIds: gone.map(({ viewingId }) => viewingId),
      leftAt: gone.filter(({ isLeft }) => isLeft).map(({ watchedAt }) => watchedAt),
      outcome: outcomeOf(after),
      ...sameMark(state, after),
    }
    return [{ type: 'WatchImportUndone', data }]
  }

/** The user's own mark takes precedence; among imports, the earliest. */
const watchedBy = (markedAt: string | null, imports: readonly ImportedWatch[]): string | null =>
  markedAt ?? times(imports.filter(({ marks }) => marks))[0] ?? null

type Mark = Pick<ImportableState, 'watchedAt'>

const sameMark = (before: Mark, after: Mark): { readonly sameMark?: true } =>
  before.watchedAt === after.watchedAt ? { sameMark: true } : {}

const outcomeOf = ({ watchedAt, playCount, imports }: Omit<ImportableState, 'markedAt'>): ImportOutcome => ({
  watchedAt,
  playCount,
  lastImportedAt: times(imports).at(-1) ?? null,
})

const times = (imports: readonly ImportedWatch[]): readonly string[] => imports.map(({ watchedAt }) => watchedAt).toSorted()
