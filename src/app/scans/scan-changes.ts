/**
 * Lists what a scan has changed, read from the log itself: the movie events of a scan are between its request and its end. Needs no stored
 * data of its own.
 */
import type { FileId, MovieId } from '../../vocabulary/id.ts'
import { decodeKnown } from '../../events/codec.ts'
import { fromSeq, later, toSeq, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { ScanDocument } from '../../../projections/views/scans.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'

export type ScanChangeKind = 'added' | 'moved' | 'replaced' | 'missing' | 'restored'

export interface ScanChange {
  /** Its position in the log. */
  readonly id: string
  readonly at: string
  readonly kind: ScanChangeKind
  readonly movieId: MovieId
  readonly title: string
  readonly fileId: FileId
  /** Current or former path of the file. */
  readonly path: string
}

export interface ChangeReader {
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly readModels: Pick<ReadModels, 'files' | 'movies'>
}

/** Most events read for a page; after that the page is cut short, with a cursor. */
const LOOK_MAX = 5000

type Bare = Pick<ScanChange, 'id' | 'at' | 'kind' | 'movieId' | 'fileId'> & { readonly path: string | null }

export async function listChanges(deps: ChangeReader, scan: ScanDocument, page: PageRequest): Promise<ListPage<ScanChange>> {
  const { after, limit } = page
  const from = (after && fromSeq(after.id)) ?? scan.from
  const to = scan.to ?? (await deps.log.head())
  const { changes, reached } = await read(deps.log, { from, to, scan, limit })
  const items = await described(deps, changes.slice(0, limit))
  const last = changes.length > limit ? changes[limit - 1]?.id : reached < to ? toSeq(reached) : undefined
  const total = await totalOf(page, () => countChanges(deps.log, scan, to))
  return { items, next: last === undefined ? null : { value: null, id: last }, ...total }
}

/** Reads all events of the scan, in the steps of a page. */
async function countChanges(log: ChangeReader['log'], scan: ScanDocument, to: Position): Promise<number> {
  let count = 0
  for (let from = scan.from; from < to;) {
    const { changes, reached } = await read(log, { from, to, scan, limit: LOOK_MAX })
    count += changes.length
    from = reached
  }
  return count
}

interface Stretch {
  readonly from: Position
  readonly to: Position
  readonly scan: ScanDocument
  readonly limit: number
}

async function read(log: ChangeReader['log'], { from, to, scan, limit }: Stretch) {
  const changes: Bare[] = []
  let reached = from
  let looked = 0
  if (from >= to) return { changes, reached: to }
  const enough = new AbortController()
  for await (const batch of log.follow(from, enough.signal)) {
    for (const stored of batch) {
      if (stored.position > to) return { changes, reached: to }
      const event = stored.metadata['causation'] === scan.id ? decodeKnown(stored) : undefined
      const change = event && changeOf(event)
      if (change) changes.push(change)
      reached = later(reached, stored.position)
      looked++
      if (changes.length > limit || looked >= LOOK_MAX || reached >= to) return { changes, reached }
    }
  }
  return { changes, reached }
}

function changeOf(event: RecordedEvent): Bare | undefined {
  const bare = { id: toSeq(event.position), at: event.at }
  switch (event.type) {
    case 'MovieFileAdded':
      return { ...bare, ...keyOf(event), kind: 'added', path: event.data.path }
    case 'MovieFileMoved':
      return { ...bare, ...keyOf(event), kind: 'moved', path: event.data.path }
    case 'MovieFileReplaced':
      return { ...bare, ...keyOf(event), kind: 'replaced', path: event.data.path }
    case 'MovieFileMissing':
      return { ...bare, ...keyOf(event), kind: 'missing', path: null }
    case 'MovieFileReturned':
      return { ...bare, ...keyOf(event), kind: 'restored', path: null }
    default:
      return undefined
  }
}

const keyOf = ({ data }: { readonly data: { readonly movieId: MovieId; readonly fileId: FileId } }) => ({
  movieId: data.movieId,
  fileId: data.fileId,
})

async function described({ readModels }: ChangeReader, changes: readonly Bare[]): Promise<readonly ScanChange[]> {
  const movies = new Map((await readModels.movies.getMany(unique(changes.map(({ movieId }) => movieId)))).map((movie) => [movie.id, movie]))
  const files = new Map((await readModels.files.getMany(unique(changes.map(({ fileId }) => fileId)))).map((file) => [file.id, file]))
  return changes.map((change) => ({
    ...change,
    title: movies.get(change.movieId)?.details.title ?? '',
    path: change.path ?? files.get(change.fileId)?.path ?? '',
  }))
}

const unique = <Id>(ids: readonly Id[]): readonly Id[] => [...new Set(ids)]
