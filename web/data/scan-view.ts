/** What pages show of a scan: its phases, how far it is, and which of its counts are shown. Pure. */
import type { components } from '../api/schema.d.ts'

type Scan = components['schemas']['Scan']

/** In order. `queued` comes before the first, an end after the last. */
export const PHASES = ['walking', 'probing', 'matching', 'settling'] as const
export type Phase = (typeof PHASES)[number]

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'interrupted'])

export const isRunning = ({ state }: Pick<Scan, 'state'>): boolean => !ENDS.has(state)

export type PhaseState = 'done' | 'now' | 'ahead'

export function phasesOf({ state }: Pick<Scan, 'state'>): readonly { readonly phase: Phase; readonly is: PhaseState }[] {
  const at = PHASES.indexOf(state as Phase)
  return PHASES.map((phase, index) => ({ phase, is: index === at ? 'now' : index < at ? 'done' : 'ahead' }))
}

/** 0 to 1; undefined while the number of files is not known. */
export const shareOf = ({ state, progress: { done, total } }: Pick<Scan, 'state' | 'progress'>): number | undefined =>
  state === 'queued' || state === 'walking' || total === 0 ? undefined : Math.min(1, done / total)

/** What a scan has changed, in the order of importance. */
const CHANGES = ['added', 'restored', 'moved', 'updated', 'missing'] as const
export type CountName = (typeof CHANGES)[number]

export const changesOf = ({ counts }: Pick<Scan, 'counts'>): readonly { readonly name: CountName; readonly count: number }[] =>
  CHANGES.map((name) => ({ name, count: counts[name] })).filter(({ count }) => count > 0)

export const tookSeconds = ({ startedAt, finishedAt }: Pick<Scan, 'startedAt' | 'finishedAt'>): number | undefined =>
  finishedAt === null ? undefined : Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)

/** More than this share of a library, and at least so many films, are hardly deleted by hand. */
const MASS_SHARE = 0.5
const MASS = 10

/** Whether so many films are missing that a drive may not be mounted. `movieCount` counts those that are there. */
export const isMassMissing = ({ movieCount, missingCount }: { readonly movieCount: number; readonly missingCount: number }): boolean =>
  missingCount >= MASS || (missingCount > 1 && missingCount >= movieCount * MASS_SHARE)
