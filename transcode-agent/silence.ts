/**
 * Frames of silence, for where a film has no sound: put between copied frames, they keep every segment filled. Those of stereo AAC
 * are known; the others are made by ffmpeg when a job needs them, since they depend on codec, channels and rate.
 */
import { silentInput } from '../src/ffmpeg/inputs.ts'
import { runShort } from '../src/ffmpeg/run.ts'
import { boxesIn } from './box.ts'
import { samplesOf } from './fragment.ts'

/** One AAC-LC frame as an encoder writes it; good for every sample rate, and for SBR streams at their core rate. */
const FRAMES: Readonly<Record<number, Uint8Array>> = {
  1: Uint8Array.of(0x01, 0x18, 0x20, 0x07),
  2: Uint8Array.of(0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c),
}
/** FLAC is not among them: its frames have to be of the film's own length. */
const ENCODERS: Readonly<Record<string, string>> = { aac: 'aac', ac3: 'ac3', eac3: 'eac3', opus: 'libopus' }
const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024

export function silentFrame(channels: number): Uint8Array | undefined {
  return FRAMES[channels]
}

export interface SilentSound {
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
}

/** Undefined where there is none to be had: segments without sound are missing then. Never rejects. */
export async function silenceFor(program: string, { codec, channels, sampleRate }: SilentSound): Promise<Uint8Array | undefined> {
  const known = codec === 'aac' ? silentFrame(channels) : undefined
  const encoder = ENCODERS[codec]
  if (known || !encoder) return known
  const zeros = silentInput({ sampleRate, channels, seconds: 0.3 })
  const fragments = ['-f', 'mp4', '-movflags', '+empty_moov+default_base_moof+delay_moov', '-frag_duration', '1000000', 'pipe:1']
  const args = ['-v', 'error', '-nostdin', ...zeros, '-c:a', encoder, ...fragments]
  try {
    const { code, output, stopped } = await runShort(program, args, { work: 'encode', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    return code === 0 && !stopped ? secondFrame(output) : undefined
  } catch {
    return undefined
  }
}

/** The first one of an encoder may still hold its run-up. */
function secondFrame(bytes: Uint8Array): Uint8Array | undefined {
  const boxes = boxesIn(bytes)
  const moof = boxes.find(({ type }) => type === 'moof')
  const data = boxes.find(({ type }) => type === 'mdat')
  const [first, second] = moof ? samplesOf(moof.payload) : []
  return first && second && data?.payload.slice(first.sizeBytes, first.sizeBytes + second.sizeBytes)
}
