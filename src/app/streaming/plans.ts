/**
 * Caches plans of films in use, by film and session options: a plan of a two-hour film takes two milliseconds, and every segment needs it.
 */
import { hash } from 'node:crypto'
import type { BurntSubtitle } from '../../domain/streaming/burn-in.ts'
import { planStreams, type StreamPlan } from '../../domain/streaming/plan.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import { createMediaTimes, type KnownTimes, type MediaTimesLookup, type MediaTimesOptions } from './media-times.ts'

export interface Plans {
  /** `burnt`: the subtitle that the number in the film's options refers to. */
  of(mediaFile: PlannedFile, burnt?: BurntSubtitle): Promise<StreamPlan>
  close(): void
}

export interface PlannedFile extends MediaTimesLookup {
  readonly media: MediaDescription
  /** Default: the options of a player that has not described itself. */
  readonly options?: StreamOptions
}

interface Kept {
  readonly known: KnownTimes
  readonly plan: StreamPlan
}

const KEPT_PLANS = 256
const NO_OPTIONS: StreamOptions = {}

export function createPlans(options: MediaTimesOptions): Plans {
  const mediaTimes = createMediaTimes(options)
  const plans = createLruCache<Kept>(KEPT_PLANS)
  return {
    async of(mediaFile, burnt) {
      const known = await mediaTimes.of(mediaFile)
      const { times, parts } = known
      const { fingerprint, media, options: chosen = NO_OPTIONS } = mediaFile
      // Sessions that began before there was an index go on without it.
      const key = `${fingerprint}/${times !== undefined}/${media.durationMs}/${burnt?.key}/${digestOf(chosen)}`
      const before = plans.get(key)
      if (before && before.known === known) return before.plan
      const plan = planStreams(media, times, { ...chosen, burnt, parts })
      plans.put(key, { known, plan })
      return plan
    },
    close: () => mediaTimes.close(),
  }
}

const digests = new WeakMap<StreamOptions, string>()

/** Computed once per object: options with a player's description are long, and come with each segment. */
function digestOf(options: StreamOptions): string {
  const known = digests.get(options)
  if (known !== undefined) return known
  const digest = hash('sha256', JSON.stringify(options))
  digests.set(options, digest)
  return digest
}
