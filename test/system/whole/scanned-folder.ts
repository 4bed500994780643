/**
 * The data folder of a server that has scanned the media set and made its pictures. A scan takes some 40 seconds of a core, so a run of the
 * tests makes one folder, in `MARQUEE_TEST_SHARED`, and each file that needs it copies it. A test file that runs alone scans for itself.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaSet } from '../../fixtures/media-files.ts'
import { until } from '../../fixtures/until.ts'
import { scannedMovies, signIn, startServer, type RunningServer } from './server-process.ts'

/** Longest wait for another test file that makes it. */
const MADE_MS = 300_000
const LOOK_EVERY_MS = 200

/** Fills the data folder of a server on the media set. @returns false if there is none to copy: the server scans the films itself */
export async function copyScannedFolder(dataDir: string): Promise<boolean> {
  const shared = process.env['MARQUEE_TEST_SHARED']
  const media = mediaSet()?.movies
  if (shared === undefined || media === undefined) return false
  const ready = join(shared, 'scanned')
  if (await isFirst(shared)) await make(join(shared, 'made'), media, ready)
  else await until(() => existsSync(ready), MADE_MS, LOOK_EVERY_MS)
  await cp(ready, dataDir, { recursive: true })
  return true
}

const isFirst = (shared: string): Promise<boolean> =>
  mkdir(join(shared, 'begun')).then(
    () => true,
    () => false,
  )

async function make(dataDir: string, media: string, ready: string): Promise<void> {
  await mkdir(dataDir)
  const server = await startServer({ dataDir, media })
  try {
    const api = await signIn(server.url)
    const movies = [...(await scannedMovies(api)).values()]
    const hasThumbnails = async ({ id }: { readonly id: string }): Promise<boolean> =>
      (await api.send('GET', `/v1/movies/${id}`)).json['trickplay'] === true
    for (const movie of movies) await until(() => hasThumbnails(movie), MADE_MS, LOOK_EVERY_MS)
  } finally {
    await server.end('SIGTERM')
  }
  await rename(dataDir, ready)
}

/** The scan at the start finds nothing new, but its events reach pages that are open. */
export const scannedAgain = (server: RunningServer): Promise<void> =>
  until(() => server.output().includes('Scanned library'), MADE_MS, LOOK_EVERY_MS)
