/** Limits how fast background work reads a film, for ffmpeg's `-readrate`: a network drive has other clients. */

const BYTES_PER_SECOND = 32 * 1024 * 1024
const USUAL_BITRATE_BPS = 8_000_000
const SLOWEST_RATE = 4
const FASTEST_RATE = 500

export function backgroundReadRate(bitrateBps: number | null): number {
  const rate = (BYTES_PER_SECOND * 8) / (bitrateBps ?? USUAL_BITRATE_BPS)
  return Math.round(Math.min(FASTEST_RATE, Math.max(SLOWEST_RATE, rate)))
}
