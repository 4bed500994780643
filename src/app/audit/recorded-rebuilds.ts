/** Records who requested the rebuild of a projection, although it changes no data. */
import { INSTALLATION_STREAM } from '../../events/streams.ts'
import { installation } from '../../domain/installation.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { Projection, Projections } from '../consistency/projection-report.ts'

export interface RecordedProjections extends Omit<Projections, 'rebuild'> {
  /** See `Projections`. */
  rebuild(this: void, name: string, caller: Caller, origin: RequestOrigin): Promise<Projection | Refusal>
}

export interface RecordedRebuildsDependencies {
  readonly projections: Projections
  readonly commandHandler: Pick<CommandHandler, 'execute'>
}

const TARGET = { stream: INSTALLATION_STREAM, decider: installation }

export function recordRebuilds({ projections, commandHandler }: RecordedRebuildsDependencies): RecordedProjections {
  return {
    ...projections,
    async rebuild(name, caller, origin) {
      const projection = await projections.rebuild(name)
      if (isRefusal(projection)) return projection
      const author = byUser(caller.userId, 'rebuildProjection', origin)
      const recorded = await commandHandler.execute(TARGET, () => [{ type: 'RebuildRequested', data: { projection: name } }], author)
      return isRefusal(recorded) ? recorded : projection
    },
  }
}
