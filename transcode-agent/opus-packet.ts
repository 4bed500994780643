/** Reads the length of an Opus packet, which its first bytes state (RFC 6716, section 3.1): packets of one track may differ. */

import type { StatedLengths } from './audio-segmenter.ts'

const SAMPLES_PER_MS = 48
/** Lengths of a frame in milliseconds, by the last two bits of a configuration below or from `CELT_FROM`, or its last bit between. */
const SILK_MS = [10, 20, 40, 60]
const HYBRID_MS = [10, 20]
const CELT_MS = [2.5, 5, 10, 20]
const HYBRID_FROM = 12
const CELT_FROM = 16
const COUNTED = 3

const LONGEST_MS = 120
const LONGEST_SAMPLES = LONGEST_MS * SAMPLES_PER_MS

/** Samples at 48 kHz; undefined for bytes that are no Opus packet. */
export function opusSamples(packet: Uint8Array): number | undefined {
  const [first, second = 0] = packet
  if (first === undefined) return undefined
  const samples = frameMs(first >> 3) * frameCount(first & 3, second) * SAMPLES_PER_MS
  return samples > 0 && samples <= LONGEST_SAMPLES ? samples : undefined
}

function frameMs(configuration: number): number {
  if (configuration >= CELT_FROM) return CELT_MS[configuration & 3] ?? 0
  return (configuration >= HYBRID_FROM ? HYBRID_MS[configuration & 1] : SILK_MS[configuration & 3]) ?? 0
}

function frameCount(code: number, second: number): number {
  if (code === COUNTED) return second & 63
  return code === 0 ? 1 : 2
}

/** As ticks of a track's times. */
export function opusLengths(timescale: number): StatedLengths {
  const ticks = (samples: number): number => Math.round((samples * timescale) / (SAMPLES_PER_MS * 1000))
  return {
    longestTicks: ticks(LONGEST_SAMPLES),
    ticksOf(frame) {
      const samples = opusSamples(frame)
      return samples === undefined ? undefined : ticks(samples)
    },
  }
}
