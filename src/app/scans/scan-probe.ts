/** Reads the new and changed films of a scan, places each of them, and adds it to its movie. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { observe } from '../../domain/movies/movie.ts'
import { AppendRefused } from '../../ports/event-log.ts'
import { NotPlayable } from '../../ports/media.ts'
import { readVideo, type ReadVideo, type WalkedVideo } from './video-reader.ts'
import type { MatchedFile, KnownFiles, ReadFile } from './file-matching.ts'
import { createSemaphore, createMutex, mapConcurrently } from '../../concurrency/semaphore.ts'
import { below, type ScanRun } from './scan-run.ts'

/** Films read ahead of a slow one: films are placed in the order of the walk, so that every scan gives the same result. */
const AHEAD = 64
/** Interval of reports that the scan waits. */
const REPORT_WAIT_MS = 2_000
const TOO_LARGE = 'Its metadata is too large to store'

interface Reading {
  readonly video: WalkedVideo
  /** Undefined: not read yet. */
  readonly fingerprint?: string
  /** The known file that was moved here. */
  readonly claimed?: NonNullable<ReturnType<KnownFiles['at']>>
}

/**
 * First the changed files at known paths are recognized: only then is it clear which known contents are gone from their paths. A file
 * elsewhere with one of these contents was moved. The remaining files were replaced, and are read last.
 */
export async function readVideos(scan: ScanRun, knownFiles: KnownFiles, videos: readonly WalkedVideo[]): Promise<void> {
  const stopReporting = scan.deps.clock.every(REPORT_WAIT_MS, () => reportWait(scan))
  try {
    await readAll(scan, knownFiles, videos)
  } finally {
    stopReporting()
  }
}

/** Shows people that an agent is missing, rather than that a film takes long. */
function reportWait({ deps, journal }: ScanRun): void {
  const why = deps.readsWait?.()
  // If the scan has ended meanwhile, its next step reports that.
  if (why !== undefined) journal.step(`Waiting: ${why}`, 0).catch(() => undefined)
}

async function readAll(scan: ScanRun, knownFiles: KnownFiles, videos: readonly WalkedVideo[]): Promise<void> {
  const isChanged = ({ file: { path } }: WalkedVideo): boolean => {
    const known = knownFiles.at(path)
    return known !== undefined && !knownFiles.isPresent(known.id)
  }
  const [changed, others] = [videos.filter(isChanged), videos.filter((video) => !isChanged(video))]
  const recognised = await recognise(scan, knownFiles, changed)
  const isReplaced = ({ video, claimed }: Reading): boolean => !claimed && isChanged(video)
  const replaced = recognised.filter(isReplaced)
  const found = recognised.filter((reading) => !isReplaced(reading))
  const undecided = await read(scan, knownFiles, [...found, ...others.map((video) => ({ video }))])
  undecided.push(...(await read(scan, knownFiles, replaced)))
  for (const { video, found, place } of undecided) await add(scan, video, { found, place: await place() })
}

/** Files that were only touched are marked present; files with the content of another known file are claimed. */
async function recognise(scan: ScanRun, knownFiles: KnownFiles, videos: readonly WalkedVideo[]): Promise<readonly Reading[]> {
  const { deps, journal, signal } = scan
  const fingerprints = new Map<WalkedVideo, string>()
  await mapConcurrently(videos, deps.width, async (video) => {
    signal.throwIfAborted()
    await journal.step(video.file.name, 0)
    const content = await playable(scan, video, () => deps.media.fingerprint(video.file.path))
    if (content === undefined) return journal.step(video.file.name)
    const known = knownFiles.at(video.file.path)
    // Its middle may have been written since an earlier version of the server scanned it.
    const isDoubtful = scan.request.mode === 'full' && known?.fingerprint === content.former
    const fingerprint = isDoubtful ? content.current : knownFiles.fingerprintOf(content)
    fingerprints.set(video, fingerprint)
    if (known?.fingerprint === fingerprint) knownFiles.markPresent(known)
  })
  const readings: Reading[] = []
  for (const video of videos) {
    const fingerprint = fingerprints.get(video)
    if (fingerprint === undefined) continue
    const known = knownFiles.at(video.file.path)
    const claimed = known && knownFiles.isPresent(known.id) ? undefined : await knownFiles.claim(video.file, fingerprint)
    readings.push({ video, fingerprint, ...omitUndefined({ claimed }) })
  }
  return readings
}

interface Undecided {
  readonly video: WalkedVideo
  readonly found: ReadVideo
  readonly place: () => Promise<MatchedFile>
}

/** Returns the films whose movie depends on those that are read after them. */
async function read(scan: ScanRun, knownFiles: KnownFiles, readings: readonly Reading[]): Promise<Undecided[]> {
  const undecided: Undecided[] = []
  const semaphore = createSemaphore(scan.deps.width)
  const mutex = createMutex()
  await mapConcurrently(readings, AHEAD, async (reading) => {
    const turn = mutex()
    const { video } = reading
    try {
      const found = await semaphore(() => playable(scan, video, () => look(scan, knownFiles, reading)))
      await turn.wait
      const place = found && (await knownFiles.find(toMatch(reading, found)))
      turn.done()
      if (!found || !place) await scan.journal.step(video.file.name)
      else if (typeof place === 'function') undecided.push({ video, found, place })
      else await add(scan, video, { found, place })
    } finally {
      turn.done()
    }
  })
  return undecided
}

async function add(scan: ScanRun, video: WalkedVideo, { found, place }: { found: ReadVideo; place: MatchedFile }): Promise<void> {
  await playable(scan, video, () => applyToMovie(scan, found, place))
  await scan.journal.step(video.file.name)
}

function toMatch({ video, claimed }: Reading, { location, identity, companions }: ReadVideo): ReadFile {
  const titledBy = identity.source === 'nfo' ? companions : undefined
  return { file: video.file, fingerprint: location.fingerprint, keyed: identity.facts, ...omitUndefined({ titledBy, claimed }) }
}

/** The result of the work; undefined if the file is no film, which is an error of the scan. */
async function playable<Value>(scan: ScanRun, { root, file }: WalkedVideo, work: () => Promise<Value>): Promise<Value | undefined> {
  scan.signal.throwIfAborted()
  try {
    return await work()
  } catch (cause) {
    scan.signal.throwIfAborted()
    if (!(cause instanceof NotPlayable || cause instanceof AppendRefused)) throw cause
    scan.journal.error(below(root, file.path), cause instanceof NotPlayable ? cause.message : TOO_LARGE)
    return undefined
  }
}

/** Content with a known fingerprint is not probed again, whatever its path. */
async function look(
  { deps, library, request, signal }: ScanRun,
  knownFiles: KnownFiles,
  { video, fingerprint }: Reading,
): Promise<ReadVideo> {
  const { media, readModels } = deps
  const here = knownFiles.at(video.file.path)
  const known = here && knownFiles.isPresent(here.id) && knownFiles.isUnchanged(video.file) ? here.fingerprint : undefined
  const content = fingerprint ?? known ?? knownFiles.fingerprintOf(await media.fingerprint(video.file.path))
  const same = request.mode === 'incremental' ? knownFiles.withContent(content) : undefined
  const description = (same && (await readModels.files.get(same.id))?.media) ?? (await media.probe(video.file.path, signal))
  return readVideo(deps, video, { media: description, fingerprint: content, libraryId: library.id, imageKey: await deps.imageKey() })
}

async function applyToMovie(scan: ScanRun, found: ReadVideo, { movieId, fileId, how, wasMissing }: MatchedFile): Promise<void> {
  scan.deps.wantIndex(found.location)
  const isNew = await scan.applyToMovie(movieId, observe({ ...found, movieId, fileId, libraryId: scan.library.id }))
  scan.journal.count(how === 'known' ? (wasMissing ? 'restored' : isNew ? 'updated' : 'unchanged') : how)
}
