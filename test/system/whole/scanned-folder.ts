/**
 * The data folder of a server that has scanned the media set, made its pictures and measured its loudness, so that a server on a copy has
 * nothing left to do. A scan takes some 40 seconds of a core, so a run of the tests makes one folder, in `MARQUEE_TEST_SHARED`, and each
 * file that needs it copies it. A test file that runs alone scans for itself.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaSet, type MediaSet } from '../../fixtures/media-files.ts'
import { until } from '../../fixtures/until.ts'
import { scannedMovies, signIn, startServer, type RunningServer } from './server-process.ts'

/** Longest wait for another test file that makes it. */
const MADE_MS = 300_000
const LOOK_EVERY_MS = 200

/** Fills the data folder of a server on the media set. @returns false if there is none to copy: the server scans the films itself */
export async function copyScannedFolder(dataDir: string): Promise<boolean> {
  const shared = process.env['MARQUEE_TEST_SHARED']
  const set = mediaSet()
  if (shared === undefined || set === undefined) return false
  const ready = join(shared, 'scanned')
  if (await isFirst(shared)) await make(join(shared, 'made'), set, ready)
  else await until(() => existsSync(ready), MADE_MS, LOOK_EVERY_MS)
  await cp(ready, dataDir, { recursive: true })
  return true
}

/** Number of films whose loudness is kept. */
async function measuredIn(dataDir: string): Promise<number> {
  const names = await readdir(join(dataDir, 'blobs', 'loudness'), { recursive: true }).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).length
}

const isFirst = (shared: string): Promise<boolean> =>
  mkdir(join(shared, 'begun')).then(
    () => true,
    () => false,
  )

async function make(dataDir: string, { movies: media, manifest }: MediaSet, ready: string): Promise<void> {
  await mkdir(dataDir)
  const withSound = manifest.files.filter(({ audioTracks }) => audioTracks.length > 0).length
  const server = await startServer({ dataDir, media })
  try {
    const api = await signIn(server.url)
    const movies = [...(await scannedMovies(api)).values()]
    const hasThumbnails = async ({ id }: { readonly id: string }): Promise<boolean> =>
      (await api.send('GET', `/v1/movies/${id}`)).json['trickplay'] === true
    for (const movie of movies) await until(() => hasThumbnails(movie), MADE_MS, LOOK_EVERY_MS)
    await until(async () => (await measuredIn(dataDir)) >= withSound, MADE_MS, LOOK_EVERY_MS)
  } finally {
    await server.end('SIGTERM')
  }
  await rename(dataDir, ready)
}

/** The scan at the start finds nothing new, but its events reach pages that are open. */
export const scannedAgain = (server: RunningServer): Promise<void> =>
  until(() => server.output().includes('Scanned library'), MADE_MS, LOOK_EVERY_MS)
