/**
 * The process that makes pictures, for `picture-process.ts`. It ends with the server, however that ends: the channel between them closes.
 */
import { BadPicture } from '../../ports/pictures.ts'
import type { AskedJob, JobReply, PictureJob } from './picture-jobs.ts'
import { createSharpPictures } from './sharp-pictures.ts'
import { makeSheet } from './sharp-sheets.ts'

const maker = createSharpPictures()

process.on('disconnect', () => process.exit())
process.on('message', ({ id, job }: AskedJob) => {
  run(job).then(
    (value) => answer({ id, value }),
    (cause: unknown) => answer({ id, failure: textOf(cause), isBad: cause instanceof BadPicture }),
  )
})

function answer(reply: JobReply): void {
  // Without a server nobody waits for it.
  if (process.connected) process.send?.(reply, undefined, {}, () => {})
}

async function run(job: PictureJob) {
  if (job.kind === 'look') return maker.look(job.bytes)
  if (job.kind === 'tint') return maker.tint(job.bytes)
  if (job.kind === 'make') return maker.make(job.bytes, job.making)
  return job.kind === 'blank' ? maker.blank(job.size) : makeSheet(job.pictures, job.grid)
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
