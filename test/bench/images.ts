/**
 * Measures images: the whole server against nginx that serves the same bytes as files, and against a bare sharp that generates the same
 * images, in turns, in one run.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { mapConcurrently } from '../../src/concurrency/semaphore.ts'
import { makeClip } from '../fixtures/media-files.ts'
import { scannedMovies, signIn, startServer, type ServerProcess } from '../system/whole/server-process.ts'
import type { BareJob, BareTimes } from './bare-sharp.ts'
import { requestsPerSecond, startNginx } from './nginx.ts'
import { treeCpuMs } from './process-cpu.ts'
import { median, type Report } from './table.ts'

interface Poster {
  readonly path: string
  readonly url: string
}

interface Place {
  readonly folder: string
  readonly server: ServerProcess
  readonly posters: readonly Poster[]
}

const FILMS = 6
const POSTER = { width: 2000, height: 3000 }
const WIDTHS = [160, 240, 320, 480, 640]
const QUALITIES = [60, 80, 95]
const FORMS = ['jpeg', 'webp'] as const
const AT_ONCE = 2
const ROUNDS = 3
const KEPT_MS = 1_500
const FRESH_GOAL = 0.8
const KIB = 1024

export async function measureImages(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-images-'))
  try {
    const films = await prepareFiles(join(folder, 'films'))
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const server = await startServer({ dataDir, media: join(folder, 'films'), env: { MARQUEE_LOG_LEVEL: 'silent' } })
    try {
      const place = { folder, server, posters: await postersOf(server.url, films) }
      await measureFresh(report, place)
      for (const width of [320, 1280]) await measureKept(report, place, width)
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Films that differ by trailing bytes, each with a separate poster; returns the posters by title. */
async function prepareFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true })
  const clip = await makeClip({ path: join(folder, '..', 'clip.mp4'), seconds: 1 })
  const posters = new Map<string, string>()
  for (let n = 0; n < FILMS; n++) {
    const title = `Film ${n}`
    const path = join(folder, title, 'poster.jpg')
    await mkdir(join(folder, title))
    await copyFile(clip, join(folder, title, `${title}.mp4`))
    await appendFile(join(folder, title, `${title}.mp4`), title)
    await writeFile(path, await posterBytes(n))
    posters.set(title, path)
  }
  return posters
}

/** About as detailed as printed artwork: soft shapes under a fine grain. */
async function posterBytes(seed: number): Promise<Buffer> {
  const grain = {
    create: { ...POSTER, channels: 3 as const, background: '#000', noise: { type: 'gaussian' as const, mean: 128, sigma: 6 } },
  }
  const shapes = {
    width: 20,
    height: 30,
    channels: 3 as const,
    background: '#000',
    noise: { type: 'gaussian' as const, mean: 110 + seed * 5, sigma: 60 },
  }
  const soft = await sharp(await sharp({ create: shapes }).png().toBuffer())
    .resize({ ...POSTER, kernel: 'cubic' })
    .png()
    .toBuffer()
  return sharp(soft)
    .composite([{ input: await sharp(grain).png().toBuffer(), blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer()
}

async function postersOf(url: string, films: ReadonlyMap<string, string>): Promise<readonly Poster[]> {
  const api = await signIn(url)
  const posters: Poster[] = []
  for (const [title, { id }] of await scannedMovies(api)) {
    const { images } = (await api.send('GET', `/v1/movies/${id}`)).json as unknown as { images: { poster: string } }
    const path = films.get(title)
    if (path) posters.push({ path, url: url + images.poster })
  }
  if (posters.length !== FILMS) throw new Error(`Of ${FILMS} posters ${posters.length} were found`)
  return posters
}

interface FreshJob extends BareJob {
  readonly url: string
}

/** Every variant of every poster once, in rounds; both generate each round. */
async function measureFresh(report: Report, { server, posters }: Place): Promise<void> {
  const variants = WIDTHS.flatMap((width) =>
    QUALITIES.flatMap((quality) => FORMS.map((type) => ({ width, height: width * 1.5, quality, type }))),
  )
  const jobs: FreshJob[] = posters.flatMap(({ path, url }) =>
    variants.map((one) => ({ ...one, path, url: `${url}?w=${one.width}&q=${one.quality}&format=${one.type}` })),
  )
  const bare = fork(fileURLToPath(new URL('bare-sharp.ts', import.meta.url)), { stdio: 'inherit' })
  const [ours, theirs] = [[] as BareTimes[], [] as BareTimes[]]
  try {
    // By then both have loaded all that they need.
    await fetched(`${posters[0]?.url}?w=96`)
    await bareTimes(bare, jobs.slice(0, 1))
    for (let round = 0; round < ROUNDS; round++) {
      const part = jobs.filter((_, index) => index % ROUNDS === round)
      ours.push(await ourTimes(server, part))
      theirs.push(await bareTimes(bare, part))
    }
  } finally {
    bare.kill()
  }
  const count = jobs.length / ROUNDS
  const [us, them] = [ours, theirs].map((times) => ({
    rate: (count * 1000) / median(times.map(({ ms }) => ms)),
    cpuMs: median(times.map(({ cpuMs }) => cpuMs)) / count,
  }))
  if (!us || !them) return
  const ratio = us.rate / them.rate
  report({
    what: `images made fresh a second, of ${POSTER.width} x ${POSTER.height}, ${AT_ONCE} at once`,
    ours: `${us.rate.toFixed(1)} (${us.cpuMs.toFixed(0)} ms of CPU each)`,
    yardstick: `${them.rate.toFixed(1)} (${them.cpuMs.toFixed(0)} ms; bare sharp)`,
    ratio,
    goal: `>= ${FRESH_GOAL}x`,
    met: ratio >= FRESH_GOAL,
  })
}

async function ourTimes({ child }: ServerProcess, jobs: readonly FreshJob[]): Promise<BareTimes> {
  const [startMs, startCpuMs] = [performance.now(), treeCpuMs(child.pid ?? 0)]
  await mapConcurrently(jobs, AT_ONCE, async ({ url }) => void (await fetched(url)))
  return { ms: performance.now() - startMs, cpuMs: treeCpuMs(child.pid ?? 0) - startCpuMs }
}

async function bareTimes(bare: ChildProcess, jobs: readonly BareJob[]): Promise<BareTimes> {
  bare.send({ jobs, atOnce: AT_ONCE })
  const [times] = (await once(bare, 'message', { signal: AbortSignal.timeout(120_000) })) as [BareTimes]
  return times
}

async function fetched(url: string): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${bytes.toString('utf8', 0, 200)}`)
  if (answer.headers.get('cache-control') === 'public, max-age=60') throw new Error(`${url} is a placeholder`)
  return bytes
}

async function measureKept(report: Report, { folder, server, posters }: Place, width: number): Promise<void> {
  const url = `${posters[0]?.url}?w=${width}&format=webp`
  const bytes = await fetched(url)
  const what = `images of ${width} x ${width * 1.5} (${(bytes.byteLength / KIB).toFixed(0)} kB) from cache a second, 8 connections`
  await sleep(KEPT_MS)
  const kept = join(folder, 'data', 'cache', 'pictures')
  const nginx = await startNginx(join(folder, 'nginx'), kept)
  if (!nginx) return report({ what, ours: 'not measured: nginx is not on the PATH' })
  const [ours, theirs] = [[] as number[], [] as number[]]
  const file = fileWith(kept, bytes)
  const before = treeCpuMs(server.child.pid ?? 0)
  for (let round = 0; round < ROUNDS; round++) {
    ours.push((await requestsPerSecond(url, '')) ?? Number.NaN)
    theirs.push((await requestsPerSecond(nginx.url + file, '')) ?? Number.NaN)
  }
  const cpuMs = treeCpuMs(server.child.pid ?? 0) - before
  await nginx.close()
  if (ours.some(Number.isNaN)) return report({ what, ours: 'not measured: wrk is not on the PATH' })
  const [us, them] = [Math.max(...ours), Math.max(...theirs)]
  report({
    what,
    ours: `max ${us.toFixed(0)} (${(cpuMs / ours.reduce((sum, rate) => sum + rate * 3, 0)).toFixed(2)} ms of CPU each)`,
    yardstick: `max ${them.toFixed(0)} (nginx)`,
    ratio: us / them,
  })
}

/** Its path in the cache, below the folder. */
function fileWith(folder: string, bytes: Buffer): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp'))
  const found = names.find((name) => readFileSync(join(folder, name)).equals(bytes))
  if (found === undefined) throw new Error('The image is not kept')
  return `/${found}`
}
