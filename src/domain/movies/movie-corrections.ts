/** Corrections of a film by administrators. They override the facts of all scans, past and future. */
import type { EventData } from '../../events/catalogue.ts'
import type { EditableFacts } from '../../events/movie-events.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import type { Decision } from '../decider.ts'
import type { MovieState } from './movie.ts'
import { withoutOutdated } from '../online/online-match.ts'

/** Edited members are fixed from now on, even if they equal the scanned values. */
export const editMovie =
  (movieId: MovieId, changes: Partial<EditableFacts>) =>
  ({ edits }: MovieState): Decision => {
    const before = new Map<string, string>(Object.entries(edits).map(([member, value]) => [member, JSON.stringify(value)]))
    const fresh = Object.entries(changes).filter(([member, value]) => before.get(member) !== JSON.stringify(value))
    return fresh.length === 0 ? [] : [{ type: 'MovieEdited', data: { movieId, changes: Object.fromEntries(fresh) } }]
  }

export const pinMatch =
  (pin: EventData['MovieMatchPinned']) =>
  (state: MovieState): Decision =>
    JSON.stringify(state.pin) === JSON.stringify(pin) ? [] : withoutOutdated(state, [{ type: 'MovieMatchPinned', data: pin }])
