/** The yardstick of the engine: ffmpeg alone, with the server's arguments, its output read or discarded. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { readBoxes } from '../../transcode-agent/box-stream.ts'
import { endedChildrenCpuMs } from './process-cpu.ts'

/** Larger than several small frames, so that it is unique. */
const TAIL_BYTES = 512
const BOX_HEAD_BYTES = 8
const NICENESS = 5

/** Offsets in ffmpeg's output of the ends of these consecutive segments. @throws if one is not in it */
export async function placesOf([program = '', ...args]: readonly string[], segments: readonly Uint8Array[]): Promise<readonly number[]> {
  const child = started(program, args)
  const tails = segments.map((segment) => Buffer.from(segment.subarray(-TAIL_BYTES)))
  const ends: number[] = []
  let [media, bytes] = [Buffer.alloc(0), 0]
  for await (const box of readBoxes(child.stdout)) {
    bytes += box.sizeBytes + BOX_HEAD_BYTES
    if (box.type !== 'mdat') continue
    // Segments contain only the media; ffmpeg writes a box around each frame.
    media = Buffer.concat([media.subarray(-TAIL_BYTES), ...box.payload])
    for (let tail = tails[ends.length]; tail && media.includes(tail); tail = tails[ends.length]) ends.push(bytes)
    if (ends.length === tails.length) break
  }
  child.kill('SIGKILL')
  if (ends.length === tails.length) return ends
  throw new Error('The segment is not in the output of ffmpeg')
}

/** From the start of the process until this many bytes have arrived. */
export async function timeTo(args: readonly string[], bytes: number): Promise<number> {
  const startMs = performance.now()
  let [read_, ms] = [0, 0]
  await read(args, (chunk) => {
    read_ += chunk.byteLength
    if (read_ < bytes) return true
    ms = performance.now() - startMs
    return false
  })
  return ms
}

async function read([program = '', ...args]: readonly string[], wantsMore: (chunk: Buffer) => boolean): Promise<void> {
  const child = started(program, args)
  const ended = once(child, 'close')
  child.stdout.on('data', (chunk: Buffer) => {
    if (!wantsMore(chunk)) child.kill('SIGKILL')
  })
  await ended
}

/** For a whole run whose output is discarded. */
export async function cpuOf([program = '', ...args]: readonly string[]): Promise<number> {
  const before = endedChildrenCpuMs()
  await once(spawn(program, args, { stdio: 'ignore' }), 'close')
  return endedChildrenCpuMs() - before
}

/** With the same priority as the server's, so that other processes slow both equally. */
function started(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  return child
}
