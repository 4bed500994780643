/**
 * Builds frames about rebuilds of projections, for administrators. They are not in the log, so they have no id: a client that reconnects
 * resumes after the last id that it received.
 */
import type { Projections, RebuildState } from '../../app/consistency/projection-report.ts'
import type { EventFrames } from './event-frames.ts'
import type { Position } from '../../events/position.ts'

export interface RebuildFrame {
  readonly kind: string
  readonly text: string
}

/** Call it periodically: returns the changes since the last call. */
export function createRebuildFrames(
  rebuilds: Projections['rebuilds'],
  frames: Pick<EventFrames, 'unnumbered'>,
): (position: Position) => readonly RebuildFrame[] {
  let before: ReadonlyMap<string, RebuildState> | undefined
  return (position) => {
    const now = rebuilds()
    const changed = now.flatMap((state): readonly RebuildFrame[] => {
      const was = before?.get(state.name)
      const { name, rebuild } = state
      const ended = was && was.generation !== state.generation ? [frame('rebuilt', { name })] : []
      const goesOn =
        rebuild && rebuild.progress !== was?.rebuild?.progress ? [frame('rebuilding', { name, progress: rebuild.progress })] : []
      return [...ended, ...goesOn]
    })
    before = new Map(now.map((state) => [state.name, state]))
    return changed

    function frame(what: string, payload: { readonly name: string; readonly progress?: number }): RebuildFrame {
      const kind = `projection.${what}`
      return { kind, text: frames.unnumbered(kind, position, payload) }
    }
  }
}
