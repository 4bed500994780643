/** What this machine's ffmpeg can do beyond what every build can. Asked once, when it is first needed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Capabilities } from './ffmpeg-arguments.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

export function createCapabilities(program: string): () => Promise<Capabilities> {
  let asked: Promise<Capabilities> | undefined
  return () => (asked ??= ask(program))
}

/** A program that does not answer has none; the job that is run with it then says what is wrong. */
async function ask(program: string): Promise<Capabilities> {
  try {
    const { stdout } = await run(program, ['-hide_banner', '-filters'], { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES })
    return { zscale: /\bzscale\b/.test(stdout) && /\btonemap\b/.test(stdout) }
  } catch {
    return { zscale: false }
  }
}
