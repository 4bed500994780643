/**
 * Checks whether this machine has a font to draw text with: without one, ffmpeg renders no text and reports no error. The check runs ffmpeg
 * itself, since each system keeps fonts in other places.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { burntScript } from '../src/domain/subtitles/burn-in-script.ts'
import { generatedInput } from '../src/ffmpeg/inputs.ts'
import { startFfmpeg, type OrphanGuard } from '../src/ffmpeg/process.ts'
import type { Clock } from '../src/ports/clock.ts'
import { assFilter } from './drawn-subtitles.ts'
import { openFolder } from './job-attachments.ts'

export interface FontCheckOptions {
  readonly ffmpegPath: string
  readonly guard: OrphanGuard
  readonly clock: Clock
}

const SIZE = { width: 64, height: 64 }
const LIMIT_MS = 10_000
const TEST_VIDEO = generatedInput(`color=c=black:size=${SIZE.width}x${SIZE.height}:rate=1:duration=1`)
const TEST_TEXT = 'WEBVTT\n\n00:00.000 --> 00:09.000\nX\n'
/** Luma; letters are white. */
const BRIGHT = 64

/** A negative result is checked again, since fonts can be installed meanwhile. */
export function createFontCheck(options: FontCheckOptions): () => Promise<boolean> {
  let isSeen = false
  return async () => (isSeen ||= await canDrawWords(options))
}

/** False if text would be missing. If the check cannot run, the job itself will report the problem. */
async function canDrawWords(options: FontCheckOptions): Promise<boolean> {
  const folder = await openFolder()
  try {
    const script = join(folder, 'first')
    await writeFile(script, burntScript(TEST_TEXT, { format: 'webvtt', byMs: 0, ...SIZE }))
    const frame = await drawn(options, assFilter({ first: script, others: join(folder, 'others') }))
    return frame.byteLength === 0 || frame.some((luma) => luma > BRIGHT)
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function drawn({ ffmpegPath, guard, clock }: FontCheckOptions, filter: string): Promise<Uint8Array> {
  const output = ['-vf', `${filter},format=gray`, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
  const ffmpeg = startFfmpeg(ffmpegPath, ['-v', 'error', '-nostdin', ...TEST_VIDEO, ...output], { work: 'encode', guard })
  const disarm = clock.after(LIMIT_MS, () => ffmpeg.kill())
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of ffmpeg.output) pieces.push(piece)
  } catch {
    // It was stopped, so the result is unknown.
  } finally {
    disarm()
    ffmpeg.kill()
    await ffmpeg.exited
  }
  return Buffer.concat(pieces)
}
