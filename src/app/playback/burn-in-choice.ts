/** Which subtitle a session has in its picture: pictures that are named are drawn, since nothing else shows them; text where that is asked for. */
import type { BurnableSubtitle } from '../../domain/streaming/burn-in.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'

export interface AskedSubtitle {
  /** Number of the subtitle that the player shows first. */
  readonly subtitleIndex?: number | undefined
  /** It is to be drawn into the picture, though it is text. */
  readonly burnSubtitle?: boolean | undefined
}

const UNKNOWN = refuse('invalid', 'The movie has no such subtitle', { path: 'subtitleIndex' })
const UNNAMED = refuse('invalid', '`burnSubtitle` needs `subtitleIndex`: name the subtitle to burn in', { path: 'subtitleIndex' })

/** The number of the one that is drawn; undefined where none is. Refusals: `invalid` (`subtitleIndex`). */
export function chooseBurnIn(
  { subtitleIndex, burnSubtitle = false }: AskedSubtitle,
  burnable: readonly BurnableSubtitle[],
): number | undefined | Refusal {
  if (subtitleIndex === undefined) return burnSubtitle ? UNNAMED : undefined
  const named = burnable.find(({ index }) => index === subtitleIndex)
  if (!named) return UNKNOWN
  return burnSubtitle || named.kind === 'bitmap' ? subtitleIndex : undefined
}
