/**
 * Makes the thumbnails (trickplay) of every film that a scan has found, one film at a time, with the lowest priority. The files on
 * disk decide which sets exist, so that a lost set is made again. Sets that belong to no file are deleted after a while.
 */
import type { LibraryId } from '../../vocabulary/id.ts'
import { movieStream } from '../../events/streams.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { TrickplayPlan } from '../../vocabulary/trickplay.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import { movie, noteTrickplay } from '../../domain/movies/movie.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'
import type { TrickplayDraft, TrickplayStore } from '../../ports/trickplay-store.ts'
import {
  followFiles,
  isAsScanned,
  isReadable,
  untilNoScan,
  walkFiles,
  type BackgroundFiles,
  type ReadableFile,
} from '../tasks/file-walk.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { makeTrickplay, type TrickplayRun } from './trickplay-maker.ts'

export interface TrickplayJobDependencies extends BackgroundFiles, TrickplayRun {
  readonly clock: Clock
  readonly commandHandler: Pick<CommandHandler, 'execute'>
  readonly readModels: Pick<ReadModels, 'files' | 'movies'>
  readonly media: Pick<Media, 'index' | 'stamp'>
  readonly store: TrickplayStore
  /** Why no film can be read at the moment; undefined if films can be read. */
  readonly readsWait?: (() => string | undefined) | undefined
  /** Fingerprints of films whose thumbnails could not be made: retried at the next start. */
  readonly failures: Set<string>
}

const AUTHOR = { actor: 'system', command: 'keepTrickplay' }
const FAILURES_MAX = 10_000
/** Interval between rounds: all films are checked again, and unused sets are removed. */
const ROUND_MS = 24 * 3_600_000
/** Keep an unused set for a while: its drive may be disconnected, and a film may come back. */
const UNWANTED_MS = 7 * 24 * 3_600_000
/** Pause after a film that the disk did not take: the next one may find it well. */
const DISK_PAUSE_MS = 30_000
/** Pause before another round for such films. */
const DISK_AGAIN_MS = 5 * 60_000
/** Timeout for one film, in addition to twice its length. */
const PATIENCE_MS = 30 * 60_000

interface Job extends TrickplayJobDependencies {
  /** Whether films were skipped because the disk was full or did not work. */
  hasSkipped: boolean
}

/** Runs until the signal. */
export async function runTrickplayJob(deps: TrickplayJobDependencies, signal: AbortSignal): Promise<void> {
  const { clock } = deps
  const job: Job = { ...deps, hasSkipped: false }
  let roundAt = clock.monotonic()

  async function wholeRound(): Promise<void> {
    await round(job, signal)
    roundAt = clock.monotonic()
  }

  /** New films wait in the log meanwhile, and those of a round are among its films. */
  async function withSkipped(work: Promise<void>): Promise<void> {
    await work
    while (job.hasSkipped) {
      await clock.sleep(DISK_AGAIN_MS, signal)
      job.hasSkipped = false
      await wholeRound()
    }
  }

  await deps.store.sweep()
  await followFiles(
    deps,
    {
      one: (file, isNew) => withSkipped(keep(job, file, { isNew, signal })),
      round: (libraryId) => withSkipped(libraryId === undefined ? wholeRound() : keepAll(job, libraryId, signal)),
      isDue: (event) => isSwitchedOn(event) || clock.monotonic() - roundAt > ROUND_MS,
    },
    signal,
  )
}

const isSwitchedOn = (event: RecordedEvent): boolean => event.type === 'LibrarySettingsChanged' && event.data.settings.trickplay

async function round(deps: Job, signal: AbortSignal): Promise<void> {
  const { clock, readModels, store } = deps
  const before = clock.now() - UNWANTED_MS
  const unwanted = new Set((await store.sets()).filter(({ usedAt }) => usedAt < before).map(({ fingerprint }) => fingerprint))
  for await (const file of walkFiles(readModels)) {
    unwanted.delete(file.fingerprint)
    await keep(deps, file, { isNew: false, signal })
  }
  for (const fingerprint of unwanted) await store.remove(fingerprint)
}

async function keepAll(deps: Job, libraryId: LibraryId, signal: AbortSignal): Promise<void> {
  for await (const file of walkFiles(deps.readModels, libraryId)) await keep(deps, file, { isNew: false, signal })
}

interface Keeping {
  /** A new film makes room for itself by evicting others; an old film does not evict, or films would evict each other in turns. */
  readonly isNew: boolean
  readonly signal: AbortSignal
}

async function keep(deps: Job, found: FileDocument | undefined, keeping: Keeping): Promise<void> {
  const { failures, store } = deps
  keeping.signal.throwIfAborted()
  if (!isWanted(deps, found)) return
  const plan = await store.plan(found.fingerprint)
  if (plan) return recordOnce(deps, found, plan)
  if (failures.has(found.fingerprint)) return
  await untilNoScan(deps, keeping.signal)
  // The film may have been moved or replaced since it was looked up.
  const file = await deps.readModels.files.get(found.id)
  if (!isWanted(deps, file) || failures.has(file.fingerprint) || !(await isAsScanned(deps, file))) return
  const made = (await store.plan(file.fingerprint)) ?? (await make(deps, file, keeping))
  if (made) await recordOnce(deps, file, made)
}

function isWanted({ access }: TrickplayJobDependencies, file: FileDocument | undefined): file is ReadableFile {
  return isReadable(file) && access.libraries.get(file.libraryId)?.settings.trickplay === true
}

async function make(deps: Job, file: ReadableFile, { isNew, signal }: Keeping): Promise<TrickplayPlan | undefined> {
  const { clock, failures, store } = deps
  const { fingerprint, media } = file
  const late = new AbortController()
  const disarm = clock.after(PATIENCE_MS + 2 * media.durationMs, () => late.abort(new Error('It takes too long')))
  const bounded = AbortSignal.any([signal, late.signal])
  const draw = async (draft: TrickplayDraft) => {
    const drafted = await makeTrickplay(deps, file, { draft, signal: bounded })
    return (await isAsScanned(deps, file)) ? drafted : undefined
  }
  const kept = await store
    .keep(fingerprint, draw, isNew)
    .catch(() => 'failed' as const)
    .finally(disarm)
  signal.throwIfAborted()
  // No reader was available, which is not the film's fault.
  if (kept === 'failed' && late.signal.aborted && deps.readsWait?.() !== undefined) return make(deps, file, { isNew, signal })
  if (kept === 'disk-trouble') {
    deps.hasSkipped = true
    await clock.sleep(DISK_PAUSE_MS, signal)
  }
  if (kept === 'failed' && failures.size < FAILURES_MAX && (await isAsScanned(deps, file))) failures.add(fingerprint)
  return store.plan(fingerprint)
}

async function isRecorded({ readModels }: TrickplayJobDependencies, { id, movieId, fingerprint }: FileDocument): Promise<boolean> {
  const known = await readModels.movies.get(movieId)
  return known?.files.find((file) => file.id === id)?.trickplay === fingerprint
}

/** Stores the event once per content. */
async function recordOnce(deps: TrickplayJobDependencies, file: FileDocument, plan: TrickplayPlan): Promise<void> {
  if (await isRecorded(deps, file)) return
  const { movieId, id: fileId, fingerprint } = file
  const { intervalMs, width, height, ptsMs } = plan
  const made = { movieId, fileId, fingerprint, intervalMs, width, height, pictures: ptsMs.length }
  await deps.commandHandler.execute({ stream: movieStream(movieId), decider: movie }, noteTrickplay(made), AUTHOR)
}
