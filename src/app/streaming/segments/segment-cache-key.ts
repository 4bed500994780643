/** Cache keys of a rendition's segments: they contain everything that determines the bytes, and the cost of making them again. */
import { createHash } from 'node:crypto'
import type { Output, Rendition } from '../../../domain/streaming/rendition.ts'
import type { MediaPart } from '../../../vocabulary/media-part.ts'
import type { RenditionCacheKey } from '../../../ports/segment-store.ts'

export interface KeptRendition {
  /** Identifies the content of the film file. */
  readonly fingerprint: string
  readonly zeroMs: number
  /** Undefined: one clock runs through the film. */
  readonly parts?: readonly MediaPart[] | undefined
  readonly rendition: Rendition
}

/** Increment it when segments of the same rendition are cut or written differently. */
const FORM = 2
const PIXELS_PER_COST = 10_000
const AUDIO_COST = 5

export function cacheKeyOf({ fingerprint, zeroMs, parts, rendition }: KeptRendition): RenditionCacheKey {
  const { key, stream, output, grid } = rendition
  return {
    source: hash(fingerprint),
    rendition: hash(JSON.stringify([FORM, key, zeroMs, parts ?? null, stream, output, grid])),
    cost: costOf(output),
  }
}

function costOf(output: Output): number {
  if (output.type === 'encode-video') return Math.ceil((output.width * output.height) / PIXELS_PER_COST)
  return output.type === 'encode-audio' ? AUDIO_COST : 0
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
