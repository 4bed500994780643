/** The capabilities of a player that supports everything in fragmented MP4, and is not a browser: everything that can be copied is. */
import type { ClientCapabilities, VideoCapability } from '../../../src/vocabulary/client-capabilities.ts'

const CODECS = ['h264', 'hevc', 'av1', 'vp9']
const SOUNDS = ['aac', 'ac3', 'eac3', 'opus', 'flac']
const video = (codec: string, bitDepth: number): VideoCapability => ({
  codec,
  profile: null,
  level: null,
  bitDepth,
  hdr: bitDepth > 8 ? ['hdr10', 'hlg', 'dolby-vision'] : [],
})

export const EVERY_CODEC: ClientCapabilities = {
  containers: ['mpegts'],
  video: CODECS.flatMap((codec) => [video(codec, 8), video(codec, 10)]),
  audio: SOUNDS.map((codec) => ({ codec, maxChannels: 8 })),
  maxHeight: null,
  maxBitrateBps: null,
}
