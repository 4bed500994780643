/**
 * Knows which viewings finished recently. A result over finished viewings stays valid if these are added to it. A finished viewing changes
 * only if its user hides or undoes it; then every result must be computed again.
 */
import { SETTLED, type SettledDocument, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { START, type Position } from '../../events/position.ts'
import type { Collection } from '../read-models/read-models.ts'

/** State of the view at one time. */
export interface Moment {
  /** A result of another era is not valid. */
  readonly era: number
  readonly changes: number
  /** Exactly the viewings that finished up to this position count. */
  readonly at: Position
  /** False if some of them may not be stored yet: no result may be cached. */
  readonly isWhole: boolean
}

export interface SettledChanges {
  look(): Promise<Moment>
  /** Changes up to now. */
  count(): Promise<number>
  /** The viewings that finished between the two; undefined if anything else changed, or if it is too long ago. */
  between(before: Moment, moment: Moment): readonly ViewingDocument[] | undefined
}

interface Finished {
  /** Number of changes when it was read. */
  readonly changes: number
  readonly viewing: ViewingDocument
}

/** Number of changes that are remembered. */
const CHANGES_MAX = 512
const NONE: SettledDocument = { id: SETTLED, changes: 0, at: START, recent: [] }

export function createSettledChanges(viewings: Pick<Collection<ViewingDocument>, 'get' | 'getMany' | 'position'>): SettledChanges {
  let known: Moment = { era: 0, changes: 0, at: START, isWhole: true }
  let since = 0
  let finished: readonly Finished[] = []

  const read = async () => ((await viewings.get(SETTLED)) as SettledDocument | undefined) ?? NONE

  function remember(latest: SettledDocument, more: readonly ViewingDocument[] | undefined): void {
    const { changes, at } = latest
    known = { era: more ? known.era : known.era + 1, changes, at, isWhole: true }
    since = more ? Math.max(since, changes - CHANGES_MAX) : changes
    finished = more ? [...finished, ...more.map((viewing) => ({ changes, viewing }))].filter((one) => one.changes > since) : []
  }

  return {
    async look() {
      for (;;) {
        const before = known
        const latest = await read()
        if (latest.changes === before.changes && latest.at === before.at) return before
        // A store without transactions may show the change before the viewings that have changed.
        if ((await viewings.position()) < latest.at) return { era: before.era, changes: latest.changes, at: latest.at, isWhole: false }
        const more = await finishedBetween(viewings, before, latest)
        // If it is not, another question was faster.
        if (known === before) {
          remember(latest, more)
          return known
        }
      }
    },
    count: async () => (await read()).changes,
    between(before, moment) {
      if (before.era !== known.era || moment.era !== known.era) return undefined
      if (before.changes < since || before.changes > moment.changes || !moment.isWhole) return undefined
      return finished.filter(({ changes }) => changes > before.changes && changes <= moment.changes).map(({ viewing }) => viewing)
    },
  }
}

async function finishedBetween(
  viewings: Pick<Collection<ViewingDocument>, 'getMany'>,
  before: Moment,
  { changes, at, recent }: SettledDocument,
): Promise<readonly ViewingDocument[] | undefined> {
  const count = changes - before.changes
  if (count <= 0 || count > recent.length) return undefined
  const ids = new Set(recent.slice(-count))
  if (ids.has(null)) return undefined
  const found = await viewings.getMany([...ids].filter((id) => id !== null))
  // The others are in progress: their movie was completed.
  const over = found.filter(({ overSince }) => overSince !== null && overSince <= at)
  return over.some(({ overSince }) => overSince !== null && overSince <= before.at) ? undefined : over
}
