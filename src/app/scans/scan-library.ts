/**
 * Runs one scan of one library from start to end: walks the roots, reads new and changed files, places each film, and marks missing ones. A
 * problem with one file is an error of the scan, but never ends it.
 */
import type { RootDevice } from '../../events/library-events.ts'
import { bonusHomes, videosInFolder, subtitleHome } from '../../domain/scans/videos-in-folder.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { libraryStream, movieStream } from '../../events/streams.ts'
import { isWithin, library as libraryDecider, noteMassMissing } from '../../domain/libraries/library.ts'
import { lose, movie as movieDecider, regain } from '../../domain/movies/movie.ts'
import { filesBelowRemoved } from '../read-models/files-below-roots.ts'
import { foldersOfVideos } from './folder-groups.ts'
import { companionsOf, identify, stillsWith, walkedVideos, type WalkedVideo } from './video-reader.ts'
import { loadKnownFiles, type KnownFile, type KnownFiles } from './file-matching.ts'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import { below, isInScope, isUnreadable, surroundingsOf, type ScanRun } from './scan-run.ts'
import { readVideos } from './scan-probe.ts'
import { openMountPoints } from './scan-mount-points.ts'
import { rootsAreStillThere, rootsAreThere } from './scan-roots.ts'

/** Younger files may still be growing: they are left for the end, and checked again. */
const YOUNG_MS = 2000
const SETTLE_MS = 500
/** A file that keeps growing is left to the next scan after this many looks. */
const SETTLE_LOOKS = 10
/** Concurrent appends: they share the log's commits. */
const APPENDS_WIDTH = 32

export async function scanLibrary(scan: ScanRun): Promise<void> {
  const { deps, journal, library } = scan
  const begun = await journal.start()
  const devices = await rootsAreThere(scan, begun)
  if (!devices) return journal.fail('root_unavailable')
  const startedMs = deps.clock.monotonic()
  const mountPoints = await openMountPoints(scan)
  const walked = new Map<string, WalkedVideo>()
  const looked = (path: string) => isInScope(scan, path) && !isUnreadable(scan, path) && (walked.has(path) || isBelowRoot(scan, path))
  const keyedAt = async (path: string) => {
    const video = walked.get(path)
    return video && (await identify(deps, video)).facts
  }
  const isPinned = async ({ id, movieId }: KnownFile) =>
    (await deps.commandHandler.load({ stream: movieStream(movieId), decider: movieDecider })).files.get(id)?.pinned === true
  // Load the known files while the disk is walked. They must include all changes of earlier scans, also of one that ended before it was
  // visible.
  const known = scan.seen(begun).then(() => loadKnownFiles({ ...deps, isPinned }, library.id, { looked, keyedAt }))
  const [videos, knownFiles] = await Promise.all([walkUnlessAway(scan, devices), known])
  if (!videos) return failAway(scan, begun)
  for (const video of videos) walked.set(video.file.path, video)
  await mountPoints.find(videos)
  const isGone = (file: KnownFile) => !file.missing && !walked.has(file.path) && looked(file.path)
  const incomplete = new Set(knownFiles.files.flatMap((file) => (isGone(file) ? [file.movieId] : [])))
  const { changed, remaining } = await passUnchanged(scan, videos, { knownFiles, incomplete })
  const youngSince = deps.clock.now() - YOUNG_MS
  const isYoung = ({ file }: WalkedVideo) => file.modifiedAtMs >= youngSince
  await journal.phase('probing', { total: videos.length, done: videos.length - changed.length - remaining.length })
  const old = changed.filter((video) => !isYoung(video))
  await readVideos(scan, knownFiles, old)
  await journal.phase('matching')
  if (!(await rootsAreStillThere(scan, devices))) return failAway(scan, begun)
  await mountPoints.lookAgain()
  await journal.phase('settling')
  const growing = await settle(scan, knownFiles, { young: changed.filter(isYoung), startedMs })
  await noteMissing(scan, knownFiles, { devices, growing })
  await readVideos(scan, knownFiles, remaining)
  await scan.seen()
  await loseBelowRemoved(scan)
  await journal.complete(mountPoints.conclude(devices, knownFiles))
}

/** Undefined if a drive has gone meanwhile. */
async function walkUnlessAway(scan: ScanRun, devices: readonly RootDevice[]): Promise<readonly WalkedVideo[] | undefined> {
  try {
    return await walk(scan)
  } catch (cause) {
    if (scan.signal.aborted || (await rootsAreStillThere(scan, devices))) throw cause
    return undefined
  }
}

async function failAway(scan: ScanRun, begun: Position): Promise<void> {
  await rootsAreThere(scan, begun)
  await scan.journal.fail('root_unavailable')
}

const isBelowRoot = ({ library }: ScanRun, path: string) => library.roots.some((root) => isWithin(path, root.path))

async function walk(scan: ScanRun): Promise<readonly WalkedVideo[]> {
  const { library, request, journal } = scan
  const videos = new Map<string, WalkedVideo>()
  for (const { path: root } of library.roots) {
    const starts = request.paths?.filter((path) => isWithin(path, root)).map((path) => startOf(path, root)) ?? [root]
    for (const start of starts) for (const video of await walkFrom(scan, root, start)) videos.set(video.file.path, video)
  }
  journal.count('seen', videos.size)
  return [...videos.values()]
}

/** The folder to begin with, for a folder that changed: what it holds may depend on the film above. */
function startOf(path: string, root: string): string {
  const home = subtitleHome(path, root) ?? path
  return bonusHomes(home, root)[0] ?? home
}

async function walkFrom(scan: ScanRun, root: string, start: string): Promise<readonly WalkedVideo[]> {
  const { deps, journal, signal, unreadable } = scan
  const surroundings = surroundingsOf(scan, root)
  const videos: WalkedVideo[] = []
  const onError = (path: string, message: string) => {
    unreadable.add(path)
    journal.error(below(root, path), message)
  }
  try {
    for await (const folder of foldersOfVideos(deps.media.list(start, { signal, onError }), surroundings)) {
      const found = videosInFolder(folder, surroundings)
      journal.count('ignored', found.ignored)
      videos.push(...walkedVideos(folder, root, found.videos))
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (start === root) throw cause
    if (isUnreadable(scan, start)) return videos
    // If a requested folder is missing, so are its films. A folder that exists but is unreadable is an error.
    const health = await deps.media.health(start)
    if (health.available || health.reason !== 'missing') onError(start, 'It cannot be read as a folder')
  }
  return videos
}

interface Passed {
  readonly changed: readonly WalkedVideo[]
  /** Unchanged versions of incomplete movies. They are read last: the movie may have had its images from the version that is gone. */
  readonly remaining: readonly WalkedVideo[]
}

interface Known {
  readonly knownFiles: KnownFiles
  /** Movies with a file that is gone from its path. */
  readonly incomplete: ReadonlySet<MovieId>
}

/** Counts films that need no reading and marks them present; returns the others. */
async function passUnchanged(scan: ScanRun, videos: readonly WalkedVideo[], { knownFiles, incomplete }: Known): Promise<Passed> {
  const { journal, request } = scan
  const back: KnownFile[] = []
  const remaining: WalkedVideo[] = []
  const changed = videos.filter((video) => {
    const known = knownFiles.at(video.file.path)
    if (!known || !knownFiles.isUnchanged(video.file)) return true
    knownFiles.markPresent(known)
    scan.deps.wantIndex(known)
    if (!known.missing && incomplete.has(known.movieId)) {
      remaining.push(video)
      return false
    }
    if (request.mode === 'full' || known.companions !== companionsOf(video)) return true
    if (known.missing) back.push(known)
    else journal.count('unchanged')
    return false
  })
  const stillOf = stillsWith(scan.library.id, await scan.deps.imageKey())
  await mapConcurrently(back, APPENDS_WIDTH, async ({ id, movieId }) => {
    await scan.applyToMovie(movieId, regain(id, stillOf))
    journal.count('restored')
  })
  return { changed, remaining }
}

interface Settling {
  readonly young: readonly WalkedVideo[]
  readonly startedMs: number
}

/** Reads the young files that have stopped growing; returns the paths of the others. */
async function settle(scan: ScanRun, knownFiles: KnownFiles, { young, startedMs }: Settling): Promise<ReadonlySet<string>> {
  const { deps, journal, signal } = scan
  let moving = young
  // Without young files this only keeps a very short scan visible to people.
  await deps.clock.sleep(young.length > 0 ? SETTLE_MS : Math.max(0, SETTLE_MS - (deps.clock.monotonic() - startedMs)), signal)
  for (let look = 1; moving.length > 0; look++) {
    const looks = await lookAgain(scan, moving)
    await readVideos(scan, knownFiles, looks.resting)
    moving = looks.moving
    if (look === SETTLE_LOOKS) break
    if (moving.length > 0) await deps.clock.sleep(SETTLE_MS, signal)
  }
  for (const { root, file } of moving) journal.error(below(root, file.path), 'It is still being written')
  return new Set(moving.map(({ file }) => file.path))
}

async function lookAgain({ deps }: ScanRun, videos: readonly WalkedVideo[]) {
  const resting: WalkedVideo[] = []
  const moving: WalkedVideo[] = []
  for (const video of videos) {
    const stamp = await deps.media.stamp(video.file.path)
    if (!stamp) continue
    const isResting = stamp.sizeBytes === video.file.sizeBytes && stamp.modifiedAtMs === video.file.modifiedAtMs
    if (isResting) resting.push(video)
    else moving.push({ ...video, file: { ...video.file, ...stamp } })
  }
  return { resting, moving }
}

interface Found {
  readonly devices: readonly RootDevice[]
  /** Paths of existing files that are still being written. */
  readonly growing: ReadonlySet<string>
}

async function noteMissing(scan: ScanRun, knownFiles: KnownFiles, { devices, growing }: Found): Promise<void> {
  const there = knownFiles.files.filter((file) => !file.missing)
  const gone = there.filter(
    ({ id, path }) => !knownFiles.isPresent(id) && !growing.has(path) && isInScope(scan, path) && !isUnreadable(scan, path),
  )
  await loseFiles(scan, gone)
  const lost = new Set(gone.map(({ id }) => id))
  for (const { path: root } of devices) {
    const before = there.filter((file) => file.root === root)
    if (before.every(({ id }) => lost.has(id))) await scan.applyToLibrary(noteMassMissing(scan.scanId, root, before.length))
  }
}

/**
 * Folders may be taken out of the library during the scan. What was known of them then is marked missing at once, and here what this scan
 * has added since. If one is taken out later, all that the scan has added is known.
 */
async function loseBelowRemoved(scan: ScanRun): Promise<void> {
  const { deps, library } = scan
  const { library: current } = await deps.commandHandler.load({ stream: libraryStream(library.id), decider: libraryDecider })
  if (!current || current.removed) return
  const { roots } = current
  const removed = library.roots.map(({ path }) => path).filter((path) => !roots.includes(path))
  if (removed.length === 0) return
  await loseFiles(scan, await filesBelowRemoved(deps.readModels, library.id, { removed, roots }))
  await scan.seen()
}

async function loseFiles(scan: ScanRun, gone: readonly KnownFile[]): Promise<void> {
  const stillOf = stillsWith(scan.library.id, await scan.deps.imageKey())
  await mapConcurrently(gone, APPENDS_WIDTH, async ({ id, movieId }) => {
    await scan.applyToMovie(movieId, lose(id, stillOf))
    scan.journal.count('missing')
  })
}
