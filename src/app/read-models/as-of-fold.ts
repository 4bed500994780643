/**
 * Folds the log into the documents of an earlier time: those of a snapshot, with the events after it. Covers only the documents behind
 * lists of movies and of viewings. Users' own state is folded for one user, unless everybody's is requested.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { parseTime } from '../../vocabulary/rfc3339.ts'
import { fromSeq, START, type Position } from '../../events/position.ts'
import { inTheFuture, type Refusal, refuse } from '../../domain/refusal.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import { endFold, foldEvents, loadDocuments, openPastDocuments, sizeOf, writeTouched } from './past-documents.ts'
import { createPastStore } from './past-store.ts'
import { PAST_VIEWS } from './past-views.ts'
import { blocksOf, lastEnd, NOBODY, type Owner, type Snapshots } from './snapshots.ts'

/** The end that a question about the past names: an event, or a time (time-ends.ts). */
export type End = { readonly position: Position } | { readonly atMs: number }

export interface Folded {
  readonly store: ReadStore
  /** Whether its documents are gone: they were in snapshots that have been dropped since. */
  readonly isGone: () => boolean
  /** Position and time of the last event in the fold; START and undefined if it has none. */
  readonly last: Position
  readonly lastMs: number | undefined
  /** A fold to any position from `last` to this one has the same documents. */
  readonly until: Position
  /** Estimated size of its documents in memory as JSON; it grows with the fields that queries use. */
  readonly bytes: () => number
}

/** Whose own state is folded. */
export type Whose = UserId | 'everybody'

export interface FoldOptions {
  readonly log: EventLog
  /** Starting points of the fold. */
  readonly snapshots: Snapshots
  /** Default: the views of snapshots. */
  readonly views?: readonly AnyView[]
  /** A separate, empty store in memory. */
  readonly store: ReadStore
  readonly whose: Whose
  /** Viewings that their users have removed since: they stay removed at every earlier time. */
  readonly removed: ReadonlySet<string>
  /** The fold includes this event: a position in the current log. */
  readonly until: Position
}

/** Folds a part of the current log. @throws the signal's reason when it is aborted */
export async function foldAsOf(
  { log, snapshots, store, views = PAST_VIEWS, whose, removed, until }: FoldOptions,
  signal: AbortSignal,
): Promise<Folded> {
  const past = await openPastDocuments({ store, views, snapshots, removed })
  const start = lastEnd(await snapshots.ends(), until)
  const owners: readonly Owner[] | undefined = whose === 'everybody' ? undefined : [NOBODY, whose]
  await loadDocuments(past, await snapshots.sections(blocksOf(start.number), owners), signal)
  await writeTouched(past)
  let { position: last, lastMs } = start
  for await (const batch of last < until ? log.follow(last, signal) : []) {
    const within = batch.filter(({ position }) => position <= until)
    const latest = within.at(-1)
    if (latest) {
      last = latest.position
      lastMs = Date.parse(latest.metadata.at)
    }
    await foldEvents(
      past,
      within.flatMap((stored) => decodeKnown(stored) ?? []).filter((event) => concerns(event, whose)),
    )
    if ((batch.at(-1)?.position ?? START) >= until) break
  }
  signal.throwIfAborted()
  endFold(past)
  const readable = createPastStore(past)
  return { store: readable.store, isGone: readable.isGone, last, lastMs, until, bytes: () => sizeOf(past) }
}

interface Bounds {
  readonly head: Position
  readonly nowMs: number
  /** Member of the request that contains the text. */
  readonly path: string
}

/** Parses a time (RFC 3339) or `seq:<n>`. Refusal: `invalid` for another format, or the future. */
export function endOf(text: string, { head, nowMs, path }: Bounds): End | Refusal {
  const wrong = (message: string) => refuse('invalid', message, { path })
  const position = text.startsWith('seq:') ? fromSeq(text.slice('seq:'.length)) : undefined
  if (position) return position > head ? wrong('There is no such event yet') : { position }
  const atMs = parseTime(text)
  if (atMs === undefined) return wrong('is neither a time such as 2026-01-02T12:00:00Z nor seq:<n>')
  return atMs > nowMs ? inTheFuture(path) : { atMs }
}

/** Whether a fold to this position would give the same result. */
export const isFoldOf = ({ last, until }: Folded, position: Position): boolean => last <= position && position <= until

/** Leaves out other users' own state. */
const concerns = ({ data }: RecordedEvent, whose: Whose) => whose === 'everybody' || !('userId' in data) || data.userId === whose
