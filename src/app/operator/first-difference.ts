/**
 * Finds the first difference between a log and the log as it was written: one event, or a range of events. The hash chain of a stream
 * reveals events that do not match their predecessors. Checkpoints also reveal events with recomputed hashes, to the precision of the
 * distance between checkpoints.
 */
import type { FirstDifference } from './operator-commands.ts'

/** An event as the log has it now. */
export interface ReadEvent {
  readonly position: bigint
  readonly stream: string | null
  readonly revision: number | null
  readonly at: string | null
}

/** The result of comparing the checkpoints with the events so far. */
export interface TreeState {
  /** Size of the largest tree that matches its checkpoint. */
  readonly holds: number
  /** Size of the smallest tree that does not match its checkpoint. */
  readonly changedAt: number | undefined
  /** Number of events that are known to have existed, if that is more than the log has. */
  readonly beyond: number | undefined
  /** The original event in the place of the last one, if the audit log has another one there. */
  readonly differs: WrittenEvent | undefined
  /** The known event after the last one. */
  readonly lost: WrittenEvent | undefined
}

/** The data that the audit log has of an event. */
export interface WrittenEvent {
  readonly stream: string
  readonly revision: number
  readonly at: string
}

/** The fault that the chain of a stream shows: `expected` is the revision that comes next. */
export interface Broken {
  readonly kind: 'altered' | 'unreadable' | 'missing' | 'inserted'
  readonly expected: number
}

export interface FirstDifferenceFinder {
  add(event: ReadEvent, broken: Broken | undefined, tree: TreeState): void
  result(tree: TreeState): FirstDifference | null
  copy(): FirstDifferenceFinder
}

interface Numbered extends ReadEvent {
  readonly seq: number
}

interface Found {
  readonly last: Numbered | undefined
  readonly exact: FirstDifference | undefined
  /** Events missing in their streams, by revision. */
  readonly gaps: readonly { readonly stream: string | null; readonly revision: number }[]
  /** The first event after the last matching checkpoint. */
  readonly since: Numbered | undefined
  /** The first event that is dated later than its successor. */
  readonly suspect: Numbered | undefined
}

const NOTHING: Found = { last: undefined, exact: undefined, gaps: [], since: undefined, suspect: undefined }

/** `gapless`: positions of this log have no gaps. */
export function createFirstDifference({ gapless }: { readonly gapless: boolean }, before: Found = NOTHING): FirstDifferenceFinder {
  let { last, exact, since, suspect } = before
  const gaps = [...before.gaps]

  function findExact(event: Numbered, broken: Broken | undefined, differs: WrittenEvent | undefined): void {
    const { seq, stream, revision, at } = event
    if (broken?.kind === 'missing' && gaps.length < 2) gaps.push({ stream, revision: broken.expected })
    if (exact) {
      const isLate = exact.kind === 'missing' && exact.stream !== null && exact.stream === stream && exact.revision === revision
      if (isLate) exact = { ...exact, kind: 'swapped' }
      return
    }
    const found = { seq, upTo: seq, suspect: null }
    if (differs && !isInPlace(event, differs, broken))
      exact = { ...found, kind: 'missing', stream: differs.stream, revision: differs.revision, at }
    else if (gapless && event.position !== (last?.position ?? 0n) + 1n)
      exact = { ...found, kind: 'missing', stream: null, revision: null, at }
    else if (broken) exact = { ...found, kind: broken.kind, stream, revision: broken.kind === 'missing' ? broken.expected : revision, at }
    else if (differs) exact = { ...found, kind: 'altered', stream, revision, at }
  }

  function followCheckpoints(event: Numbered, { holds, changedAt }: TreeState): void {
    if (changedAt !== undefined && changedAt < event.seq) return
    since ??= event
    if (!suspect && last && last.seq >= since.seq && isAfter(last, event)) suspect = last
    if (holds === event.seq) since = suspect = undefined
  }

  /** If only one stream has a gap, the event that is missing in the log belongs to that stream. */
  function withStream(found: FirstDifference): FirstDifference {
    const [gap, other] = gaps
    return found.kind === 'missing' && found.stream === null && gap && !other ? { ...found, ...gap } : found
  }

  return {
    copy: () => createFirstDifference({ gapless }, { last, exact, gaps, since, suspect }),
    add(given, broken, tree) {
      const event = { ...given, seq: (last?.seq ?? 0) + 1 }
      findExact(event, broken, tree.differs)
      followCheckpoints(event, tree)
      last = event
    },
    result({ holds, changedAt, beyond, lost }) {
      if (changedAt !== undefined && !(exact && exact.seq <= changedAt)) {
        const { stream = null, revision = null, at = null } = since ?? {}
        return { kind: 'changed', seq: holds + 1, upTo: changedAt, stream, revision, at, suspect: suspect ? placeOf(suspect) : null }
      }
      if (exact) return withStream(exact)
      if (beyond === undefined) return null
      const seq = (last?.seq ?? 0) + 1
      const place = lost ?? { stream: null, revision: null, at: last?.at ?? null }
      return { kind: 'truncated', seq, upTo: beyond, ...place, suspect: null }
    },
  }
}

/** An altered or unreadable event is in its original place; an inserted one is reported itself. */
const isInPlace = ({ stream, revision }: ReadEvent, written: WrittenEvent, broken: Broken | undefined): boolean =>
  broken?.kind === 'inserted' || stream === null || (stream === written.stream && revision === written.revision)

const isAfter = (a: ReadEvent, b: ReadEvent): boolean => a.at !== null && b.at !== null && a.at > b.at

const placeOf = ({ seq, stream, revision, at }: Numbered) => ({ seq, stream, revision, at })
