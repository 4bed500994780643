/**
 * Makes frames of silence for gaps in a film's audio: placed between copied frames, they keep every segment filled. Those of stereo AAC are
 * constants; ffmpeg makes the others when a job needs them, since they depend on codec, channels and rate.
 */
import { silentInput } from '../src/ffmpeg/inputs.ts'
import { runShort } from '../src/ffmpeg/run.ts'
import type { Output } from '../src/domain/streaming/rendition.ts'
import { boxesIn } from './box.ts'
import { samplesOf } from './fragment.ts'
import type { InitSegment } from './init-segment.ts'

/** One AAC-LC frame as an encoder writes it; valid for every sample rate, and for SBR streams at their core rate. */
const FRAMES: Readonly<Record<number, Uint8Array>> = {
  1: Uint8Array.of(0x01, 0x18, 0x20, 0x07),
  2: Uint8Array.of(0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c),
}
/** FLAC frames must have the film's own frame length. */
const ENCODERS: Readonly<Record<string, string>> = { aac: 'aac', ac3: 'ac3', eac3: 'eac3', opus: 'libopus', flac: 'flac' }
/** Two frames of the longest kind. */
const SECONDS = 1.5
const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024

export function silentFrame(channels: number): Uint8Array | undefined {
  return FRAMES[channels]
}

export interface SilentAudio {
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
  /** For FLAC; other codecs have a fixed frame length. */
  readonly frameSamples?: number | null | undefined
  readonly sampleBits?: number | undefined
}

/** Twenty milliseconds of silence, mono or stereo, as in RFC 6716: for an ffmpeg without an Opus encoder. */
const OPUS_FRAME = Uint8Array.of(0xf8, 0xff, 0xfe)
/** Of one frame of silence, whoever made it. */
export const SILENT_OPUS_SAMPLES = 960
const FLAC_FRAME_SAMPLES = 4096
/** For HE-AAC, whose decoder synthesises the upper half of the spectrum: its core has half the rate. */
export const SBR_FRAME_SAMPLES = 2048

/** Available before the film is opened, except for FLAC: its frames have the film's frame length, taken from `frame`. Never rejects. */
export async function silenceOf(program: string, output: Output, frame?: InitSegment): Promise<Uint8Array | undefined> {
  if (output.type === 'encode-audio') return silenceFor(program, { ...output, codec: 'aac' })
  if (output.type !== 'copy-audio') return undefined
  if (output.codec !== 'flac') return silenceFor(program, output)
  return frame && silenceFor(program, { ...output, frameSamples: frame.frameSamples, sampleBits: frame.sampleBits })
}

/** Undefined if none can be made. Never rejects. */
export async function silenceFor(program: string, audio: SilentAudio): Promise<Uint8Array | undefined> {
  const known = audio.codec === 'aac' ? silentFrame(audio.channels) : undefined
  if (known || !ENCODERS[audio.codec]) return known
  const mediaFile = await silentClip(program, audio)
  return mediaFile ? secondFrame(mediaFile) : otherwise(audio.codec)
}

/** Header of a track without a packet to derive one from; undefined if ffmpeg cannot encode its codec. Never rejects. */
export async function silentMoov(program: string, audio: SilentAudio): Promise<Uint8Array | undefined> {
  const isSbr = audio.codec === 'aac' && audio.frameSamples === SBR_FRAME_SAMPLES
  const mediaFile = await silentClip(program, isSbr ? { ...audio, sampleRate: audio.sampleRate / 2 } : audio)
  return mediaFile && boxesIn(mediaFile).find(({ type }) => type === 'moov')?.payload
}

async function silentClip(program: string, audio: SilentAudio): Promise<Uint8Array | undefined> {
  const { codec, channels, sampleRate } = audio
  const encoder = ENCODERS[codec]
  if (!encoder) return undefined
  const zeros = silentInput({ sampleRate, channels, seconds: SECONDS })
  const fragments = ['-f', 'mp4', '-movflags', '+empty_moov+default_base_moof+delay_moov', '-frag_duration', '1000000', 'pipe:1']
  const args = ['-v', 'error', '-nostdin', ...zeros, '-c:a', encoder, ...flacOptions(audio), ...fragments]
  try {
    const { code, output, stopped } = await runShort(program, args, { work: 'encode', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    return code === 0 && !stopped ? output : undefined
  } catch {
    return undefined
  }
}

const otherwise = (codec: string): Uint8Array | undefined => (codec === 'opus' ? OPUS_FRAME : undefined)

function flacOptions({ codec, frameSamples, sampleBits = 16 }: SilentAudio): readonly string[] {
  if (codec !== 'flac') return []
  const size = String(frameSamples ?? FLAC_FRAME_SAMPLES)
  return ['-strict', 'experimental', '-frame_size', size, '-sample_fmt', sampleBits > 16 ? 's32' : 's16']
}

/** An encoder's first frame may still hold its priming. */
function secondFrame(bytes: Uint8Array): Uint8Array | undefined {
  const boxes = boxesIn(bytes)
  const moof = boxes.find(({ type }) => type === 'moof')
  const data = boxes.find(({ type }) => type === 'mdat')
  const [first, second] = moof ? samplesOf(moof.payload) : []
  return first && second && data?.payload.slice(first.sizeBytes, first.sizeBytes + second.sizeBytes)
}
