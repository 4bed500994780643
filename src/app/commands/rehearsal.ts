/**
 * Decides commands without storing their events. Each command sees what the earlier ones of the same rehearsal would have stored, so the
 * results are those of the real commands. It remembers a state for each stream that would change: use one rehearsal for one request.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import { START } from '../../events/position.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { CommandHandler, Target } from './command-handler.ts'

interface RehearsalDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly commandHandler: Pick<CommandHandler, 'load'>
}

export function createRehearsal({ clock, commandHandler }: RehearsalDependencies): CommandHandler {
  const changed = new Map<string, unknown>()

  const load = async <State>(target: Target<State>): Promise<State> =>
    changed.has(target.stream) ? (changed.get(target.stream) as State) : commandHandler.load(target)

  return {
    load,
    async execute<State>(target: Target<State>, decide: (state: State) => Decision) {
      // Nothing waits for the log here: other requests get their turn in between.
      await setImmediate()
      const before = await load(target)
      const decision = decide(before)
      if (isRefusal(decision)) return decision
      const at = new Date(clock.now()).toISOString()
      const state = decision.reduce<State>((known, event) => target.decider.evolve(known, event, at), before)
      if (decision.length > 0) changed.set(target.stream, state)
      return { state, events: decision, position: START }
    },
  }
}
