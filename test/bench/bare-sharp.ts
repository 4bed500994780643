/**
 * The yardstick of fresh image variants: a process that only resizes with sharp. It takes jobs from its parent, with the given concurrency,
 * and answers with their durations. Input and output are the same as in the server.
 */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { mapConcurrently } from '../../src/concurrency/semaphore.ts'

export interface BareJob {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly type: 'jpeg' | 'webp'
  readonly quality: number
}

export interface BareJobs {
  readonly jobs: readonly BareJob[]
  readonly atOnce: number
}

export interface BareTimes {
  readonly ms: number
  readonly cpuMs: number
}

sharp.cache(false)
sharp.concurrency(1)

async function work({ jobs, atOnce }: BareJobs): Promise<BareTimes> {
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()]
  await mapConcurrently(jobs, atOnce, async ({ path, width, height, type, quality }) => {
    const sized = sharp(await readFile(path), { sequentialRead: true })
      .autoOrient()
      .resize({ width, height, fit: 'cover' })
    await (type === 'jpeg' ? sized.jpeg({ quality }) : sized.webp({ quality, effort: 3 })).toBuffer()
  })
  const { user, system } = process.cpuUsage(startCpu)
  return { ms: performance.now() - startMs, cpuMs: (user + system) / 1000 }
}

process.on('message', (asked) => void work(asked as BareJobs).then((times) => process.send?.(times)))
