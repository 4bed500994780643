/** The yardstick of the engine: ffmpeg alone, with the arguments that the server gave it, its output read or thrown away. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { readBoxes } from '../../transcode-agent/box-stream.ts'
import { endedChildrenCpuMs } from './process-cpu.ts'

/** More than a few small pictures, so that it is found once only. */
const TAIL_BYTES = 512
const BOX_HEAD_BYTES = 8
const NICENESS = 5

/** Bytes of ffmpeg's output up to the end of each of these segments that follow each other. @throws when one is not in it */
export async function placesOf([program = '', ...args]: readonly string[], segments: readonly Uint8Array[]): Promise<readonly number[]> {
  const child = started(program, args)
  const tails = segments.map((segment) => Buffer.from(segment.subarray(-TAIL_BYTES)))
  const ends: number[] = []
  let [media, bytes] = [Buffer.alloc(0), 0]
  for await (const box of readBoxes(child.stdout)) {
    bytes += box.sizeBytes + BOX_HEAD_BYTES
    if (box.type !== 'mdat') continue
    // Segments have the media alone; ffmpeg has a box around each picture.
    media = Buffer.concat([media.subarray(-TAIL_BYTES), ...box.payload])
    for (let tail = tails[ends.length]; tail && media.includes(tail); tail = tails[ends.length]) ends.push(bytes)
    if (ends.length === tails.length) break
  }
  child.kill('SIGKILL')
  if (ends.length === tails.length) return ends
  throw new Error('The segment is not in the output of ffmpeg')
}

/** From the start of the process until so many bytes have come. */
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

/** Of a whole run whose output nobody looks at. */
export async function cpuOf([program = '', ...args]: readonly string[]): Promise<number> {
  const before = endedChildrenCpuMs()
  await once(spawn(program, args, { stdio: 'ignore' }), 'close')
  return endedChildrenCpuMs() - before
}

/** With the priority that the server's have, so that who else is at work takes as much from both. */
function started(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  return child
}
