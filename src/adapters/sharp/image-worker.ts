/**
 * The process that makes images, for `image-process.ts`. It ends with the server, however that ends: the channel between them closes.
 */
import { BadImage } from '../../ports/image-maker.ts'
import type { AskedJob, JobReply, ImageJob } from './image-jobs.ts'
import { createSharpImageMaker } from './sharp-image-maker.ts'
import { makeSheet } from './sharp-sheets.ts'

const maker = createSharpImageMaker()

process.on('disconnect', () => process.exit())
process.on('message', ({ id, job }: AskedJob) => {
  run(job).then(
    (value) => answer({ id, value }),
    (cause: unknown) => answer({ id, failure: textOf(cause), isBad: cause instanceof BadImage }),
  )
})

function answer(reply: JobReply): void {
  // Without a server nobody waits for it.
  if (process.connected) process.send?.(reply, undefined, {}, () => {})
}

async function run(job: ImageJob) {
  if (job.kind === 'tint') return maker.tint(job.bytes)
  if (job.kind === 'make') return maker.make(job.bytes, job.making)
  return job.kind === 'blank' ? maker.blank(job.size) : makeSheet(job.images, job.grid)
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
