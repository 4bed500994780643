/** Parses the configuration record of Dolby Vision (ETSI TS 103 572), which is the same in every container. */
import type { DolbyVision } from './media-description.ts'

/** `dvcC`, `dvvC` and `dvwC`, without the box header; undefined if it is truncated. */
export function dolbyVisionIn([, , high, low, compatibility]: Uint8Array): DolbyVision | undefined {
  if (high === undefined || low === undefined || compatibility === undefined) return undefined
  return { profile: high >> 1, level: ((high & 1) << 5) | (low >> 3), compatibilityId: compatibility >> 4 }
}
