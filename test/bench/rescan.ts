/** Measures a scan of unchanged files, in turns with a stat of each. The log contains them as from an earlier scan. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isRefusal } from '../../src/domain/refusal.ts'
import type { LibraryId } from '../../src/vocabulary/id.ts'
import { appendMovies, type StreamedFile } from './movies.ts'
import { AUTHOR, openNodeFixture, type BenchFixture } from './node.ts'
import { median, wholeNumber, type Report } from './table.ts'

const GOAL = 1.5
const ROUNDS = 4
const PARALLEL_STATS = 16
const LOOK_EVERY_MS = 2
const BOUND_MS = 300_000

export async function measureRescan(report: Report, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-rescan-'))
  const root = join(folder, 'films')
  const files = Array.from({ length: count }, (_, n) => makeFile(root, n))
  const fixture = await openNodeFixture(join(folder, 'data'))
  try {
    const libraryId = await fixture.services.libraries.createBy(AUTHOR, { name: 'Films', paths: [root] })
    if (isRefusal(libraryId)) throw new Error(libraryId.message)
    await appendMovies(fixture.ports.log, fixture.ports.ids, { count, libraryIds: [libraryId], fileOf: (n) => files[n] })
    await fixture.background.caughtUp()
    const times = { ours: [] as number[], stats: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      const [stats, ours] = [await statAll(files), await rescan(fixture, libraryId, count)]
      // The first round warms up.
      if (round === 0) continue
      times.stats.push(stats)
      times.ours.push(ours)
    }
    const [ours, stats] = [median(times.ours), median(times.stats)]
    report({
      what: `rescan of ${wholeNumber(count)} unchanged files, one a folder`,
      // Each scan settles for a while, so that clients can see it.
      ours: `${(ours / 1000).toFixed(2)} s (0.5 s of it settling)`,
      yardstick: `${(stats / 1000).toFixed(2)} s (stat of each, ${PARALLEL_STATS} at once)`,
      ratio: ours / stats,
      goal: `<= ${GOAL}x`,
      met: ours / stats <= GOAL,
    })
  } finally {
    await fixture.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Old enough to count as settled. */
function makeFile(root: string, n: number): StreamedFile {
  const path = join(root, `${n % 200}`, `Film ${n} (2000)`, `Film ${n} (2000).mkv`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'film')
  const { size: sizeBytes, mtimeMs, ino: inode } = statSync(path)
  return { path, root, stamp: { sizeBytes, modifiedAtMs: Math.trunc(mtimeMs), inode }, companions: 'alone' }
}

async function statAll(files: readonly StreamedFile[]): Promise<number> {
  const startMs = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let file = files[next++]; file; file = files[next++]) await stat(file.path)
  }
  await Promise.all(Array.from({ length: PARALLEL_STATS }, worker))
  return performance.now() - startMs
}

async function rescan({ ports, services }: BenchFixture, libraryId: LibraryId, count: number): Promise<number> {
  const until = AbortSignal.timeout(BOUND_MS)
  const startMs = performance.now()
  const request = { mode: 'incremental', paths: null, trigger: 'manual', startedBy: null } as const
  const scanId = await services.scans.request(libraryId, request, AUTHOR)
  if (isRefusal(scanId)) throw new Error(scanId.message)
  for (;;) {
    const scan = await services.readModels.scans.get(scanId)
    if (scan?.finishedAt !== null && scan !== undefined) {
      if (scan.counts.unchanged !== count) throw new Error(`Not a scan of unchanged files: ${JSON.stringify(scan.counts)}`)
      return performance.now() - startMs
    }
    await ports.clock.sleep(LOOK_EVERY_MS, until)
  }
}
