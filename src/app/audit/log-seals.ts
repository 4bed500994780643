/**
 * Seals the log: a signed checkpoint is kept outside the log, and the log records it. An attacker who rewrites the log later cannot rewrite
 * a copy that has left the host.
 */
import type { Decider, Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { SEALS_STREAM } from '../../events/streams.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { AuditTree } from './audit-tree.ts'
import type { Checkpoints } from './checkpoints.ts'

export interface LogSeals {
  /** Keeps a checkpoint, unless the log has not grown since the last one. */
  seal(this: void): Promise<void>
}

export interface LogSealsDependencies {
  readonly checkpoints: Pick<Checkpoints, 'of'>
  readonly tree: Pick<AuditTree, 'at' | 'size'>
  readonly commandHandler: CommandHandler
  /** Stores a signed note permanently. */
  readonly keep: (note: string) => Promise<void>
}

/** Number of events at the last seal. */
const seals: Decider<number> = { initial: 0, evolve: (size, { type, data }) => (type === 'LogSealed' ? data.size : size) }

export function createLogSeals({ checkpoints, tree, commandHandler, keep }: LogSealsDependencies): LogSeals {
  const target = { stream: SEALS_STREAM, decider: seals }
  return {
    async seal() {
      const size = await tree.size()
      // The last seal itself added one event.
      if (size <= (await commandHandler.load(target)) + 1) return
      await keep(await checkpoints.of(size))
      const root = Buffer.from((await tree.at(size)).root).toString('base64')
      const decide = (sealed: number): Decision => (sealed >= size ? [] : [{ type: 'LogSealed', data: { size, root } }])
      const result = await commandHandler.execute(target, decide, { actor: 'system', command: 'sealLog' })
      if (isRefusal(result)) throw new Error(result.message)
    },
  }
}
