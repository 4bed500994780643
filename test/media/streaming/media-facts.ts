/** The ground truth of a film: read from the file itself by ffprobe and ffmpeg, to compare the served streams with. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { execa } from 'execa'
import { testPrograms } from '../../fixtures/media-files.ts'

export interface TruePacket {
  readonly ms: number
  readonly durationMs: number
  /** Hash of its bytes. */
  readonly hash: string
}

/** A static build crashes on a transport stream when it loads the machine's character sets. */
const ENVIRONMENT = { GCONV_PATH: '/nonexistent' }
const TIMEOUT_MS = 300_000
const MOST_BYTES = 512 * 1024 * 1024
/** Containers that frame samples in another way than MP4. */
const STREAMED = new Set(['.ts', '.mpg'])

async function probe(path: string, stream: number, ...more: readonly string[]): Promise<string> {
  const { ffprobe } = await testPrograms()
  const args = ['-v', 'error', '-select_streams', String(stream), ...more, '-of', 'csv=p=0:nk=0', path]
  const { stdout } = await execa(ffprobe, args, { env: ENVIRONMENT, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES })
  // A packet with side data is printed in two lines.
  return stdout.replaceAll(',\n,', ',')
}

const fieldsOf = (line: string): ReadonlyMap<string, string> =>
  new Map(line.split(',').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]))

/** The displayed packets, in coding order; a packet without a time follows the one before. */
export async function packetsOf(path: string, stream: number): Promise<readonly TruePacket[]> {
  const output = await probe(path, stream, '-show_data_hash', 'MD5', '-show_entries', 'packet=pts_time,duration_time,flags,data_hash')
  const hashes = STREAMED.has(extname(path)) ? await framedHashes(path, stream) : undefined
  return output
    .split('\n')
    .map(fieldsOf)
    .filter((fields) => fields.has('pts_time') && !fields.get('flags')?.includes('D'))
    .map((fields, index) => ({
      ms: Number(fields.get('pts_time')) * 1000,
      durationMs: Number(fields.get('duration_time')) * 1000,
      hash: hashes?.[index] ?? fields.get('data_hash') ?? '',
    }))
}

/** Hashes of the same packets, framed as in MP4. */
async function framedHashes(path: string, stream: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-truth-'))
  try {
    const { ffmpeg } = await testPrograms()
    const framed = join(folder, 'framed.mp4')
    const copy = ['-v', 'error', '-nostdin', '-i', path, '-map', `0:${stream}`, '-c', 'copy', '-copyts', framed]
    await execa(ffmpeg, copy, { env: ENVIRONMENT, timeout: TIMEOUT_MS })
    const output = await probe(framed, 0, '-show_data_hash', 'MD5', '-show_entries', 'packet=data_hash')
    return output.split('\n').flatMap((line) => fieldsOf(line).get('data_hash') ?? [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Display times of decoded frames, sorted; infinity if the file does not contain them. */
export async function frameTimesMs(path: string, stream: number): Promise<readonly number[]> {
  const output = await probe(path, stream, '-show_frames', '-show_entries', 'frame=best_effort_timestamp_time')
  return output
    .split('\n')
    .flatMap((line) => fieldsOf(line).get('best_effort_timestamp_time') ?? [])
    .map((seconds) => (seconds === 'N/A' ? Infinity : Number.parseFloat(seconds) * 1000))
    .toSorted((a, b) => a - b)
}

/** Start time of the first displayed frame or audio sample. */
export async function startMsOf(path: string): Promise<number> {
  const output = await probe(path, 0, '-show_entries', 'packet=pts_time', '-read_intervals', '%+#40')
  const times = output.split('\n').map((line) => Number.parseFloat(fieldsOf(line).get('pts_time') ?? '') * 1000)
  return Math.min(...times.filter(Number.isFinite))
}

export const AUDIO_RATE = 8_000

/** The film's audio as a player outputs it, from a file time on: mono samples at 8 kHz, silence in gaps. */
export async function audioOf(path: string, stream: number, fromMs: number): Promise<Int16Array> {
  const filter = `aresample=${AUDIO_RATE},aresample=async=1:first_pts=${Math.round((fromMs * AUDIO_RATE) / 1000)}`
  return decoded(['-copyts', '-i', path, '-map', `0:${stream}`, '-af', filter])
}

/** The audio of segments, from the time of the first on. */
export async function audioOfSegments(init: Uint8Array, segments: readonly Uint8Array[]): Promise<Int16Array> {
  return decoded(['-i', 'pipe:0', '-map', '0:a'], Buffer.concat([init, ...segments]))
}

async function decoded(input: readonly string[], bytes?: Uint8Array): Promise<Int16Array> {
  const { ffmpeg } = await testPrograms()
  const args = ['-v', 'error', ...input, '-ac', '1', '-ar', String(AUDIO_RATE), '-f', 's16le', 'pipe:1']
  const options = { env: ENVIRONMENT, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES, encoding: 'buffer' } as const
  const { stdout } = await execa(ffmpeg, args, bytes ? { ...options, input: bytes } : options)
  const copy = Uint8Array.from(stdout)
  return new Int16Array(copy.buffer, 0, copy.byteLength >> 1)
}

/** Hashes of the segments' decoded frames, and the decoder's errors. */
export async function decodedFrames(init: Uint8Array, segments: readonly Uint8Array[]) {
  const { ffmpeg } = await testPrograms()
  const args = ['-v', 'warning', '-i', 'pipe:0', '-map', '0:v', '-fps_mode', 'passthrough', '-copyts', '-f', 'framemd5', 'pipe:1']
  const { stdout, stderr } = await execa(ffmpeg, args, {
    input: Buffer.concat([init, ...segments]),
    env: ENVIRONMENT,
    timeout: TIMEOUT_MS,
    maxBuffer: MOST_BYTES,
  })
  return { hashes: hashesIn(stdout), complaints: stderr.split('\n').filter(Boolean) }
}

export async function sourceFrames(path: string, stream: number): Promise<readonly string[]> {
  const { ffmpeg } = await testPrograms()
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    path,
    '-map',
    `0:${stream}`,
    '-fps_mode',
    'passthrough',
    '-copyts',
    '-f',
    'framemd5',
    'pipe:1',
  ]
  const { stdout } = await execa(ffmpeg, args, { env: ENVIRONMENT, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES })
  return hashesIn(stdout)
}

const hashesIn = (output: string): readonly string[] =>
  output.split('\n').flatMap((line) => (line.startsWith('#') || line === '' ? [] : [line.split(',').at(-1)?.trim() ?? '']))
