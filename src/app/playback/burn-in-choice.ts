/**
 * Chooses the subtitle that is burnt into a session's video: a requested bitmap always, since it cannot be shown otherwise; text on
 * request.
 */
import type { BurnableSubtitle } from '../../domain/streaming/burn-in.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'

export interface AskedSubtitle {
  /** Number of the subtitle that the player shows first. */
  readonly subtitleIndex?: number | undefined
  /** Burn the subtitle in even if it is text. */
  readonly burnSubtitle?: boolean | undefined
}

const UNKNOWN = refuse('invalid', 'The movie has no such subtitle', { path: 'subtitleIndex' })
const UNNAMED = refuse('invalid', '`burnSubtitle` needs `subtitleIndex`: name the subtitle to burn in', { path: 'subtitleIndex' })

/** The number of the burnt-in subtitle; undefined if there is none. Refusals: `invalid` (`subtitleIndex`). */
export function chooseBurnIn(
  { subtitleIndex, burnSubtitle = false }: AskedSubtitle,
  burnable: readonly BurnableSubtitle[],
): number | undefined | Refusal {
  if (subtitleIndex === undefined) return burnSubtitle ? UNNAMED : undefined
  const named = burnable.find(({ index }) => index === subtitleIndex)
  if (!named) return UNKNOWN
  return burnSubtitle || named.kind === 'bitmap' ? subtitleIndex : undefined
}
