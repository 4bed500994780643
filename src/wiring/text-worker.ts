/** The worker thread that parses subtitles and metadata files, one after another. */
import { parentPort } from 'node:worker_threads'
import { textReading } from '../app/derived-media/text-reading.ts'
import type { TextJob } from '../ports/text-reader.ts'

parentPort?.on('message', (job: TextJob) => {
  try {
    parentPort?.postMessage({ value: read(job) }, [])
  } catch (cause) {
    parentPort?.postMessage({ failure: String(cause) }, [])
  }
})

function read(job: TextJob): unknown {
  if (job.kind === 'cues') return textReading.cues(job.bytes, job.form)
  return job.kind === 'script' ? textReading.script(job.bytes, job.form) : textReading.nfo(job.bytes)
}
