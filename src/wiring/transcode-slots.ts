/** Computes how many jobs a transcode agent accepts at once. */
import { availableParallelism } from 'node:os'
import type { Config } from '../config/config.ts'

/** Weighted slots per core: a 720p transcode takes one. */
const SLOTS_PER_CORE = 2

export const slotsOf = ({ transcodeSlots }: Pick<Config, 'transcodeSlots'>): number =>
  transcodeSlots ?? availableParallelism() * SLOTS_PER_CORE
