/** One AAC-LC frame of silence, as an encoder writes it; good for every sample rate, and for SBR streams at their core rate. */

const FRAMES: Readonly<Record<number, Uint8Array>> = {
  1: Uint8Array.of(0x01, 0x18, 0x20, 0x07),
  2: Uint8Array.of(0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c),
}

export function silentFrame(channels: number): Uint8Array | undefined {
  return FRAMES[channels]
}
