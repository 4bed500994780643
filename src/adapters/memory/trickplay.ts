/** Trickplay in memory, for tests of its users: a store that keeps everything, and a maker that renders nothing. */
import type { TrickplayPlan } from '../../vocabulary/trickplay.ts'
import type { MediaFileWithFrames, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import type { TrickplayStore } from '../../ports/trickplay-store.ts'

interface KeptSet {
  readonly plan: TrickplayPlan
  readonly sheets: readonly Uint8Array[]
}

export interface MemoryTrickplayStore extends TrickplayStore {
  /** How often incomplete sets were removed. */
  readonly sweeps: () => number
}

export interface MemoryStoreOptions {
  /** The creation time of sets. */
  readonly now?: () => number
  /** Whether its disk is in trouble. */
  readonly isTroubled?: () => boolean
}

export function createMemoryTrickplayStore({ now = () => 0, isTroubled = () => false }: MemoryStoreOptions = {}): MemoryTrickplayStore {
  const kept = new Map<string, KeptSet & { readonly usedAt: number }>()
  let sweeps = 0
  return {
    plan: async (fingerprint) => kept.get(fingerprint)?.plan,
    async sheet(fingerprint, { width, sheet }) {
      const set = kept.get(fingerprint)
      return set?.plan.width === width ? set.sheets[sheet] : undefined
    },
    async keep(fingerprint, make) {
      if (isTroubled()) return 'disk-trouble'
      const sheets: Uint8Array[] = []
      const drafted = await make({ add: async (sheet) => void sheets.push(sheet) })
      if (!drafted) return 'failed'
      const plan = { ...drafted, sheetBytes: sheets.map(({ byteLength }) => byteLength) }
      kept.set(fingerprint, { plan, sheets, usedAt: now() })
      return 'kept'
    },
    sets: async () => [...kept].map(([fingerprint, { usedAt }]) => ({ fingerprint, usedAt, sizeBytes: 1 })),
    remove: async (fingerprint) => void kept.delete(fingerprint),
    sweep: async () => void sweeps++,
    sweeps: () => sweeps,
  }
}

export interface MemoryMakerOptions {
  /** Times of the decoded frames of every film, in decoding order. */
  readonly keyframesMs?: readonly number[]
  /** Presentation time of the first frame at or after a time; default: that time. */
  readonly frameAtMs?: (fromMs: number) => number | undefined
  /** Awaited before a film is read. */
  readonly reading?: (mediaFile: MediaFileWithFrames, signal: AbortSignal) => Promise<void>
}

export interface MemoryTrickplayMaker extends TrickplayMaker {
  /** Times of the frames that were extracted singly. */
  readonly grabs: readonly number[]
}

/** Its thumbnails are their times as text. */
export function createMemoryTrickplayMaker(options: MemoryMakerOptions = {}): MemoryTrickplayMaker {
  const { keyframesMs = [], frameAtMs = (fromMs) => fromMs, reading = async () => {} } = options
  const grabs: number[] = []
  const pictureOf = (atMs: number) => ({ atMs, jpeg: Buffer.from(`${atMs} `) })
  return {
    grabs,
    async *keyframes(mediaFile, signal) {
      await reading(mediaFile, signal)
      for (const atMs of keyframesMs) yield pictureOf(atMs)
    },
    async frameFrom(mediaFile, { fromMs }, signal) {
      await reading(mediaFile, signal)
      grabs.push(fromMs)
      const atMs = frameAtMs(fromMs)
      return atMs === undefined ? undefined : pictureOf(atMs)
    },
    sheet: async (frames) => Buffer.concat(frames),
  }
}
