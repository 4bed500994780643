/**
 * First difference between a log and the one that was written: which event, or between which ones it is. The hash chain of a stream
 * shows what does not fit the events before it; checkpoints show also what was made to fit, as exactly as they follow each other.
 */
import type { FirstDifference } from './operator-commands.ts'

/** An event as it stands in the log. */
export interface ReadEvent {
  readonly position: bigint
  readonly stream: string | null
  readonly revision: number | null
  readonly at: string | null
}

/** What the checkpoints say of the events so far. */
export interface TreeState {
  /** Size of the largest tree that is as a checkpoint says. */
  readonly holds: number
  /** That of the smallest that is not. */
  readonly changedAt: number | undefined
  /** How many events are known to have been there, if it is more than the log has. */
  readonly beyond: number | undefined
  /** The event that was in the place of the last one, if the audit log holds another there. */
  readonly differs: WrittenEvent | undefined
  /** The event that was after the last one. */
  readonly lost: WrittenEvent | undefined
}

/** What the audit log holds of an event. */
export interface WrittenEvent {
  readonly stream: string
  readonly revision: number
  readonly at: string
}

/** What the chain of a stream says: `expected` is the revision that comes next. */
export interface Broken {
  readonly kind: 'altered' | 'unreadable' | 'missing' | 'inserted'
  readonly expected: number
}

export interface FirstDifferenceFinder {
  add(event: ReadEvent, broken: Broken | undefined, tree: TreeState): void
  result(tree: TreeState): FirstDifference | null
}

interface Numbered extends ReadEvent {
  readonly seq: number
}

/** `gapless`: positions of this log follow each other without a gap. */
export function createFirstDifference({ gapless }: { readonly gapless: boolean }): FirstDifferenceFinder {
  let last: Numbered | undefined
  let exact: FirstDifference | undefined
  /** Of each event that is missing in its stream, by its revision. */
  const gaps: { readonly stream: string | null; readonly revision: number }[] = []
  /** The first event since the last checkpoint that holds, and the first that is dated later than the one after it. */
  let since: Numbered | undefined
  let suspect: Numbered | undefined

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

  /** If only one stream lacks anything, the event that its place in the log lacks is one of that stream. */
  function withStream(found: FirstDifference): FirstDifference {
    const [gap, other] = gaps
    return found.kind === 'missing' && found.stream === null && gap && !other ? { ...found, ...gap } : found
  }

  return {
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

/** One that was altered or cannot be read stands where it was written; one that was inserted is named itself. */
const isInPlace = ({ stream, revision }: ReadEvent, written: WrittenEvent, broken: Broken | undefined): boolean =>
  broken?.kind === 'inserted' || stream === null || (stream === written.stream && revision === written.revision)

const isAfter = (a: ReadEvent, b: ReadEvent): boolean => a.at !== null && b.at !== null && a.at > b.at

const placeOf = ({ seq, stream, revision, at }: Numbered) => ({ seq, stream, revision, at })
